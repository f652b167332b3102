import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkCommand, hasMixedLineEnds } from '../src/command.ts'

describe('checkCommand', () => {
  it('runs a text whose every line ends in CRLF as if they were LF', () => {
    expect(checkCommand('echo a\r\n\r\necho b\r\n')).toBe('echo a\n\necho b\n')
    expect(checkCommand('cat <<EOF\r\nx\r\nEOF\r\necho after')).toBe('cat <<EOF\nx\nEOF\necho after')
  })

  it('leaves mixed line ends and lone carriage returns alone', () => {
    for (const text of ['cat <<EOF\r\nx\nEOF\necho after\n', "printf 'a\rb'\n", "echo 'x\r'", 'a\n\r\n']) {
      expect(checkCommand(text)).toBe(text)
    }
  })

  it('changes nothing in a text without carriage returns', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        fc.pre(text.trim() !== '' && !/[\r\0]/.test(text))
        expect(checkCommand(text)).toBe(text)
      }),
    )
  })

  it('knows mixed line ends', () => {
    expect(['a\r\nb\n', 'a\nb', 'a\r\nb\r\n', 'a\rb'].map(hasMixedLineEnds)).toEqual([true, false, false, false])
  })
})
