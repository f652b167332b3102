import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const KEY = String.raw`HKLM\SYSTEM\CurrentControlSet\Control\Nls\CodePage`

/** The code page that console programs of this machine write when nobody tells them another; undefined elsewhere. */
export async function windowsCodePage(platform: NodeJS.Platform = process.platform): Promise<number | undefined> {
  if (platform !== 'win32') return undefined
  try {
    const { stdout } = await promisify(execFile)('reg', ['query', KEY, '/v', 'OEMCP'], { windowsHide: true })
    return parseCodePage(stdout)
  } catch {
    return undefined
  }
}

/** The number in what `reg query` prints: name, type and value of one entry. */
export function parseCodePage(printed: string): number | undefined {
  const value = /^\s*OEMCP\s+REG_SZ\s+(\d+)\s*$/m.exec(printed)?.[1]
  return value === undefined ? undefined : Number(value)
}
