/** More than any look at numbers goes back. */
const REMEMBERED = 4096

/** A set that forgets its oldest members. */
export class RecentNumbers {
  private readonly members = new Set<number>()

  has(member: number): boolean {
    return this.members.has(member)
  }

  add(member: number): void {
    this.members.delete(member)
    this.members.add(member)
    if (this.members.size <= REMEMBERED) return
    const [oldest] = this.members
    if (oldest !== undefined) this.members.delete(oldest)
  }
}
