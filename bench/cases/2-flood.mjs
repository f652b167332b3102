import { spawn } from 'node:child_process'
import process from 'node:process'
import { interleave, ms, openShell, ratio, STDIO, timed } from '../shells.mjs'

const COMMAND = "head -c 1000000000 /dev/zero | tr '\\0' x"
const KEPT = 64_000

/** A gigabyte printed, 64 KB of it kept; ours also writes its file up to the cap. */
export async function run({ quick }) {
  const { run: ours, dispose } = await openShell({ maxOutputBytes: KEPT })
  await ours('true')
  const rss = { ours: 0, childProcess: 0 }
  const watched = (name, action) => async () => {
    globalThis.gc()
    const before = process.memoryUsage().rss
    const timer = setInterval(() => {
      rss[name] = Math.max(rss[name], process.memoryUsage().rss - before)
    }, 20)
    await action()
    clearInterval(timer)
  }
  const times = await interleave(
    {
      ours: watched('ours', () => ours(COMMAND)),
      childProcess: watched('childProcess', tailOnly),
    },
    quick ? 2 : 5,
    timed,
  )
  await dispose()
  const mb = (bytes) => `+${(bytes / 1e6).toFixed(0)} MB`
  return [
    {
      measure: '1 GB printed, 64 KB kept, spilled',
      goal: '>= 1.5x faster; + 24 MB at most',
      ours: `${ms(times.ours)}, ${mb(rss.ours)} (${ratio(times.childProcess / times.ours)} faster)`,
      childProcess: `${ms(times.childProcess)}, ${mb(rss.childProcess)}`,
      ok: times.childProcess / times.ours >= 1.5 && rss.ours <= 24e6,
      values: { times, rss },
    },
  ]
}

/** What a careful author writes by hand: the last pieces, no file. */
function tailOnly() {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', COMMAND], { stdio: STDIO })
    let pieces = []
    let length = 0
    child.stdout.on('data', (data) => {
      pieces.push(data)
      length += data.length
      while (length - pieces[0].length >= KEPT) length -= pieces.shift().length
    })
    child.stderr.resume()
    child.once('close', () => {
      pieces = []
      resolve()
    })
  })
}
