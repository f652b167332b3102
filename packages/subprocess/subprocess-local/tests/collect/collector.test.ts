import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CollectorOptions, OutputCollector } from '../../src/collect/collector.ts'
import { SpillFolder } from '../../src/collect/spill.ts'

let folder: string
let spills: SpillFolder
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dsh-collect-'))
  spills = new SpillFolder(path.join(folder, 'spill'), 'host')
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const collector = (over: Partial<CollectorOptions> = {}): OutputCollector =>
  new OutputCollector({ maxBytes: 100, maxSpillBytes: 0, platformEncoding: 'utf-8', spills, ...over })

function feed(target: OutputCollector, bytes: Uint8Array, cuts: readonly number[]): OutputCollector {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
  let start = 0
  for (const end of [...ends, bytes.length]) {
    target.push(bytes.subarray(start, end))
    start = end
  }
  target.end()
  return target
}

const anyText = fc
  .array(fc.constantFrom('a', 'ß', '世', '🎉', '\n', ' '), { maxLength: 200 })
  .map((parts) => parts.join(''))
const longText = fc
  .array(fc.constantFrom('a', 'ß', '世', '🎉', '\n', ' '), { minLength: 130, maxLength: 300 })
  .map((parts) => parts.join(''))
const anyCuts = fc.array(fc.nat(), { maxLength: 20 })

describe('OutputCollector', () => {
  it('keeps a stream that fits exactly as it was, however it was cut', () => {
    fc.assert(
      fc.property(anyText, anyCuts, (text, cuts) => {
        const bytes = Buffer.from(text)
        const pieces: string[] = []
        const onOutput = (piece: string) => void pieces.push(piece)
        const output = feed(collector({ maxBytes: 1000, onOutput }), bytes, cuts).snapshot()
        expect(output).toEqual({ text, truncated: false, totalBytes: bytes.length, omittedBytes: 0, encoding: 'utf-8' })
        expect(pieces.join('')).toBe(text)
        expect(pieces.join('')).not.toContain('\ufffd')
      }),
    )
  })

  it('of a longer stream keeps head and tail within the bound, whole characters, and counts the rest', () => {
    fc.assert(
      fc.property(longText, anyCuts, fc.integer({ min: 16, max: 120 }), (text, cuts, maxBytes) => {
        const bytes = Buffer.from(text)
        const output = feed(collector({ maxBytes }), bytes, cuts).snapshot()
        const [head, tail] = [Buffer.from(output.head ?? ''), Buffer.from(output.text)]
        expect(output.truncated).toBe(true)
        expect(head.length + tail.length).toBeLessThanOrEqual(maxBytes)
        expect(head.length + tail.length).toBeGreaterThan(maxBytes - 8)
        expect(bytes.subarray(0, head.length)).toEqual(head)
        expect(bytes.subarray(bytes.length - tail.length)).toEqual(tail)
        expect(output.omittedBytes).toBe(bytes.length - head.length - tail.length)
      }),
    )
  })

  it('spills the whole stream, up to its limit, whatever the cuts', () => {
    fc.assert(
      fc.property(longText, anyCuts, fc.integer({ min: 1, max: 400 }), (text, cuts, maxSpillBytes) => {
        const bytes = Buffer.from(text)
        const { spillPath = '', spilledBytes } = feed(
          collector({ maxBytes: 32, maxSpillBytes }),
          bytes,
          cuts,
        ).snapshot()
        const spilled = fs.readFileSync(spillPath)
        expect(spilled).toEqual(bytes.subarray(0, maxSpillBytes))
        expect(spilledBytes).toBe(spilled.length)
      }),
      { numRuns: 50 },
    )
  })

  it('reads on from where the last reading ended, without cutting a character', () => {
    fc.assert(
      fc.property(anyText, anyCuts, (text, cuts) => {
        const bytes = Buffer.from(text)
        const target = collector({ maxBytes: 2000 })
        let offset = 0
        let heard = ''
        const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
        let start = 0
        for (const end of [...ends, bytes.length]) {
          target.push(bytes.subarray(start, end))
          start = end
          const { text: piece, nextOffset } = target.readFrom(offset)
          offset = nextOffset
          heard += piece
        }
        expect(heard).toBe(text)
      }),
    )
  })

  it('tells a reader that came too late how much it has missed', () => {
    const target = collector({ maxBytes: 40 })
    target.push(Buffer.from('0123456789'.repeat(10)))
    const read = target.readFrom(0)
    expect(read.omittedBytes).toBe(70)
    expect(read.text).toBe('0123456789'.repeat(3))
    expect(read.nextOffset).toBe(100)
  })

  it('makes no file for a stream that fits', () => {
    feed(collector({ maxSpillBytes: 1000 }), Buffer.alloc(100, 'x'), [])
    expect(fs.existsSync(spills.path)).toBe(false)
  })

  it('goes on without a file when there is no place for one, and says why', () => {
    fs.writeFileSync(path.join(folder, 'occupied'), '')
    const blocked = new SpillFolder(path.join(folder, 'occupied'), 'host')
    const output = feed(collector({ spills: blocked, maxSpillBytes: 1000 }), Buffer.alloc(500, 'x'), [100]).snapshot()
    expect(output.totalBytes).toBe(500)
    expect(output.spillPath).toBeUndefined()
    expect(output.spillError).toMatch(/EEXIST|ENOTDIR|private directory/)
  })

  it('takes nothing more after its end', () => {
    const target = feed(collector(), Buffer.from('kept'), [])
    target.push(Buffer.from('late'))
    expect(target.snapshot().text).toBe('kept')
  })
})
