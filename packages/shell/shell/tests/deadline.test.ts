import { describe, expect, it } from 'vitest'
import { Deadline } from '../src/deadline.ts'

const FAR_MS = 60_000

describe('Deadline', () => {
  it('knows the first cause only', async () => {
    const stop = new AbortController()
    let ends = 0
    const deadline = await new Promise<Deadline>((resolve) => {
      const made: Deadline = new Deadline(1, stop.signal, () => {
        ends++
        resolve(made)
      })
    })
    stop.abort()
    deadline.abort()
    expect([deadline.cause, ends]).toEqual(['timeout', 1])
  })

  it('is an abort when the caller comes first', () => {
    const stop = new AbortController()
    const deadline = new Deadline(FAR_MS, stop.signal, () => {})
    stop.abort()
    expect(deadline.cause).toBe('abort')
  })

  it('is an abort at once when the caller was there before', () => {
    expect(new Deadline(FAR_MS, AbortSignal.abort(), () => {}).cause).toBe('abort')
  })

  it('has no cause when the command ended before', () => {
    const stop = new AbortController()
    let ends = 0
    const deadline = new Deadline(FAR_MS, stop.signal, () => ends++)
    deadline.settle()
    stop.abort()
    expect([deadline.cause, ends]).toEqual([undefined, 0])
  })
})
