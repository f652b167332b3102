/** How many bytes at the end begin a UTF-8 character without finishing it: 0 to 3. */
export function incompleteUtf8Length(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return byte < 0xf8 && needed > back ? back : 0
    }
  }
  return 0
}

/** How many bytes at the start continue a UTF-8 character that began before: 0 to 3. */
export function continuationLength(bytes: Uint8Array): number {
  let count = 0
  while (count < Math.min(3, bytes.length) && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++
  return count
}
