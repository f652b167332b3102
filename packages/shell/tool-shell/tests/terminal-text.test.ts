import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { terminalText } from '../src/terminal-text.ts'

describe('terminalText', () => {
  it('leaves plain text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'ß', '世', '🎉', '\n', '\t', ' ', '[31m') }), (text) => {
        expect(terminalText(text)).toBe(text)
      }),
    )
  })

  it('OUT-8: shows the last frame of a progress bar, and takes CRLF for a line end', () => {
    const frames = Array.from({ length: 1000 }, (_, index) => `\rProgress ${index + 1}%`).join('')
    expect(terminalText(`${frames}\na\r\nb\r\n`)).toBe('Progress 1000%\na\nb\n')
  })

  it('OUT-8: leaves of a longer frame what a shorter one does not write over', () => {
    expect(terminalText('long frame\rshort')).toBe('shortframe')
    expect(terminalText('abc\b\bX')).toBe('aXc')
  })

  it('OUT-9: shows no colours, links or cursor moves', () => {
    const text = terminalText('\x1b[31mred\x1b[0m \x1b]8;;http://h\x1b\\link\x1b]8;;\x07 \x1b[2K\x1b[1Gdone\n')
    expect(text).toBe('red link done\n')
  })

  it('OUT-9: loses at most its own line to a sequence that never ends', () => {
    expect(terminalText('a\x1b]0;no end\nb\n')).toBe('a\nb\n')
    expect(terminalText('x\x1b[')).toBe('x')
    expect(terminalText('x\x1b[31')).toBe('x')
  })

  it('shows no control character, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        expect(terminalText(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/)
      }),
    )
  })
})
