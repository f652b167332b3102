/** Waiting for what the operating system says; what it says comes from the contract suites. */

export const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Milliseconds until `fact` holds; undefined when it does not within the limit. */
export async function until(fact, limit) {
  const start = performance.now()
  while (performance.now() - start < limit) {
    if (fact()) return performance.now() - start
    await wait(10)
  }
  return undefined
}
