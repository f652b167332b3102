import { expect, it } from 'vitest'
import { Interleaving } from '../../src/collect/interleave.ts'

function combine(parts: [stream: 'stdout' | 'stderr', text: string][]): string | null {
  const order = new Interleaving()
  for (const [stream, text] of parts) order.note(stream, Buffer.byteLength(text))
  const bytes = (wanted: string) =>
    Buffer.from(
      parts
        .filter(([stream]) => stream === wanted)
        .map(([, text]) => text)
        .join(''),
    )
  return order.combine({ stdout: bytes('stdout'), stderr: bytes('stderr') }, 'utf-8')
}

it('puts lines of both streams in the order of their arrival', () => {
  expect(
    combine([
      ['stdout', 'o1\n'],
      ['stderr', 'e1\n'],
      ['stdout', 'o2\n'],
    ]),
  ).toBe('o1\ne1\no2\n')
})

it('keeps a line whole that arrived in pieces', () => {
  expect(
    combine([
      ['stdout', 'be'],
      ['stderr', 'error\n'],
      ['stdout', 'gun\n'],
    ]),
  ).toBe('error\nbegun\n')
})

it('leaves out nothing that has no line end', () => {
  expect(
    combine([
      ['stderr', 'warn'],
      ['stdout', 'out'],
    ]),
  ).toBe('warnout')
  expect(
    combine([
      ['stdout', 'out'],
      ['stderr', 'warn'],
    ]),
  ).toBe('outwarn')
  expect(combine([])).toBe('')
})

it('gives up on an order that is too fine to keep, rather than growing', () => {
  const order = new Interleaving()
  for (let index = 0; index < 50_000; index++) order.note(index % 2 ? 'stdout' : 'stderr', 1)
  expect(order.combine({ stdout: Buffer.alloc(25_000), stderr: Buffer.alloc(25_000) }, 'utf-8')).toBeNull()
})
