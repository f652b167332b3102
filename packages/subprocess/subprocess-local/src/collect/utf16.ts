/** What is looked at to tell UTF-16 from binary data. */
const SAMPLE_BYTES = 512
/** Fewer code units than this are no evidence. */
const FEWEST_UNITS = 8

/**
 * UTF-16LE, as several Windows programs print it: by its byte order mark, or by its looks. By its looks means that nearly
 * every second byte of the beginning is zero and the other one is not, as in no text of another encoding; names that are
 * separated by zero bytes do not alternate so.
 */
export function looksLikeUtf16le(bytes: Uint8Array): boolean {
  if (bytes.length % 2 !== 0) return false
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return true
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const units = sample.length / 2
  if (units < FEWEST_UNITS) return false
  let ascii = 0
  for (let index = 0; index < sample.length; index += 2) {
    const low = sample[index] ?? 0
    const high = sample[index + 1] ?? 0
    if (low === 0 && high === 0) return false
    if (high === 0 && (low >= 0x20 || low === 0x0a || low === 0x0d || low === 0x09)) ascii++
  }
  return ascii >= units * 0.6
}
