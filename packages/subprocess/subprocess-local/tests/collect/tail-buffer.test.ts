import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TailBuffer } from '../../src/collect/tail-buffer.ts'

it('holds exactly the last bytes, whatever is pushed', () => {
  const chunk = fc.uint8Array({ maxLength: 30 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), fc.array(chunk, { maxLength: 20 }), (limit, chunks) => {
      const tail = new TailBuffer(limit)
      for (const part of chunks) tail.push(part)
      const all = Buffer.concat(chunks)
      const expected = all.subarray(Math.max(0, all.length - limit))
      expect(tail.toBuffer()).toEqual(expected)
      expect(tail.size).toBe(expected.length)
    }),
  )
})

it('grows no further than its bound', () => {
  const tail = new TailBuffer(100_000)
  for (let index = 0; index < 300; index++) tail.push(Buffer.alloc(1000, index))
  expect(tail.size).toBe(100_000)
  expect(tail.toBuffer().at(-1)).toBe(299 % 256)
})
