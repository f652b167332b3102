import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * Opens a file without a name that holds `data`, positioned at its start: 0600 while it has a name, which is gone before
 * this returns. The descriptor is the caller's to close.
 */
export function openInputFile(data: string | Uint8Array): number {
  return fillInputFile(openNameless(), data, fs.closeSync)
}

/** In the first folder that takes one: a missing or full temp folder must not cost the command. */
function openNameless(): number {
  const failures: unknown[] = []
  for (const folder of [os.tmpdir(), '/dev/shm', '/tmp', '/var/tmp', os.homedir()]) {
    const name = path.join(folder, `dsh-input-${process.pid}-${randomBytes(8).toString('hex')}`)
    try {
      const fd = fs.openSync(name, 'wx+', 0o600)
      fs.unlinkSync(name)
      return fd
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures[0]
}

/** Writes all of `data` and leaves the descriptor at the start; closes it when that fails. */
export function fillInputFile(fd: number, data: string | Uint8Array, close: (fd: number) => void): number {
  try {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data
    // A position leaves the descriptor's own offset, which the child shares, at the start.
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done, done)
    return fd
  } catch (error) {
    close(fd)
    throw error
  }
}
