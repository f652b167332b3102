import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodeBytes } from '../../src/collect/decode.ts'
import { platformEncoding } from '../../src/collect/platform-encoding.ts'
import { StreamDecoder } from '../../src/collect/stream-decoder.ts'
import { parseCodePage, windowsCodePage } from '../../src/collect/windows-code-page.ts'

describe('decodeBytes', () => {
  it.each([
    ['gbk', '中国\n'],
    ['big5', '中國\n'],
    ['shift_jis', '日本\n'],
    ['euc-kr', '한국\n'],
    ['euc-jp', '日本\n'],
    ['cp437', 'café\n'],
    ['cp850', 'Größe\n'],
    ['windows-1252', 'naïve €\n'],
  ])('reads %s where the platform uses it', (encoding, text) => {
    expect(decodeBytes(iconv.encode(text, encoding), encoding)).toEqual({ text, encoding })
  })

  it('prefers UTF-8 whenever the bytes are valid UTF-8', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('gbk', 'big5', 'cp437', 'utf-8', 'nonsense'),
        (text, platform) => {
          fc.pre(!text.includes('\0') && !text.startsWith('\ufeff'))
          expect(decodeBytes(Buffer.from(text), platform)).toEqual({ text, encoding: 'utf-8' })
        },
      ),
    )
  })

  it('reads a stream of mixed encodings line by line', () => {
    const bytes = Buffer.concat([Buffer.from('世界\n'), iconv.encode('中国\n', 'gbk'), Buffer.from('ok\n')])
    expect(decodeBytes(bytes, 'gbk')).toEqual({ text: '世界\n中国\nok\n', encoding: 'gbk' })
  })

  it('never throws, and marks what nothing explains', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 64 }),
        fc.constantFrom('utf-8', 'gbk', 'cp437', 'no-such-encoding'),
        (bytes, platform) => {
          expect(typeof decodeBytes(Buffer.from(bytes), platform).text).toBe('string')
        },
      ),
    )
    expect(decodeBytes(Buffer.from('caf\x82\n', 'latin1'), 'no-such-encoding').text).toBe('caf\ufffd\n')
    expect(decodeBytes(Buffer.from([0xe4]), 'utf-8').text).toBe('\ufffd')
  })

  it('reads UTF-16LE with a byte order mark and without one', () => {
    const text = 'Windows Subsystem for Linux 发行版\r\n'
    const bytes = Buffer.from(text, 'utf16le')
    expect(decodeBytes(bytes, 'gbk')).toEqual({ text, encoding: 'utf-16le' })
    expect(decodeBytes(Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]), 'gbk')).toEqual({
      text,
      encoding: 'utf-16le',
    })
  })

  it('does not take names between zero bytes for UTF-16', () => {
    for (const text of ['./a\0./b\0./c\0./longer\0', 'a\0\0\0b\0\0\0c\0\0\0d\0\0\0', 'x\0y\0']) {
      expect(decodeBytes(Buffer.from(text), 'utf-8')).toEqual({ text, encoding: 'utf-8' })
    }
  })
})

describe('StreamDecoder', () => {
  it('gives the same text as the whole, whatever the cuts, in any encoding of whole lines', () => {
    const line = fc.constantFrom('世界', '中国', 'plain', 'ß', '')
    const encoded = fc
      .tuple(line, fc.constantFrom('utf-8', 'gbk'))
      .map(([text, encoding]) => iconv.encode(`${text}\n`, encoding))
    fc.assert(
      fc.property(fc.array(encoded, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 8 }), (parts, cuts) => {
        const bytes = Buffer.concat(parts)
        const decoder = new StreamDecoder('gbk')
        let text = ''
        let start = 0
        for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
          text += decoder.write(bytes.subarray(start, Math.max(start, end)))
          start = Math.max(start, end)
        }
        text += decoder.end()
        expect(text).not.toContain('\ufffd')
        expect(text.split('\n').length).toBe(parts.length + 1)
      }),
    )
  })

  it('hands on what is complete at once', () => {
    const decoder = new StreamDecoder('utf-8')
    expect(decoder.write(Buffer.from([0x61, 0xf0, 0x9f]))).toBe('a')
    expect(decoder.write(Buffer.from([0x8e, 0x89, 0xe4]))).toBe('🎉')
    expect(decoder.end()).toBe('\ufffd')
  })
})

describe('platformEncoding', () => {
  it.each([
    [{ LC_ALL: 'zh_CN.GBK' }, 'gbk'],
    [{ LC_ALL: '', LANG: 'zh_CN.GB18030' }, 'gb18030'],
    [{ LANG: 'zh_CN.gb2312' }, 'gbk'],
    [{ LANG: 'zh_CN' }, 'gbk'],
    [{ LANG: 'zh_TW' }, 'big5'],
    [{ LANG: 'ja_JP.SJIS' }, 'sjis'],
    [{ LANG: 'ko_KR' }, 'euc-kr'],
    [{ LANG: 'de_DE.ISO-8859-15@euro' }, 'iso-8859-15'],
    [{ LC_CTYPE: 'en_US.UTF-8', LANG: 'zh_CN.GBK' }, 'utf-8'],
    [{ LANG: 'C.utf8' }, 'utf-8'],
    [{ LANG: 'C' }, 'utf-8'],
    [{}, 'utf-8'],
  ])('of the locale %o is %s', (env, encoding) => {
    expect(platformEncoding('linux', env)).toBe(encoding)
  })

  it.each([
    [936, 'gbk'],
    [950, 'big5'],
    [932, 'shift_jis'],
    [949, 'euc-kr'],
    [437, 'cp437'],
    [850, 'cp850'],
    [65001, 'utf-8'],
    [undefined, 'utf-8'],
  ])('of the Windows code page %s is %s', (codePage, encoding) => {
    expect(platformEncoding('win32', { LANG: 'zh_CN.GBK' }, codePage)).toBe(encoding)
  })
})

describe('the code page of Windows', () => {
  it.each([
    ['\r\nHKEY_LOCAL_MACHINE\\SYSTEM\\Nls\\CodePage\r\n    OEMCP    REG_SZ    936\r\n\r\n', 936],
    ['    OEMCP    REG_SZ    65001\n', 65001],
    ['ERROR: The system was unable to find the specified registry key or value.', undefined],
    ['', undefined],
  ])('is read from the registry: %j', (printed, codePage) => {
    expect(parseCodePage(printed)).toBe(codePage)
  })

  it('is asked for nowhere else', async () => {
    expect(await windowsCodePage('linux')).toBeUndefined()
  })
})
