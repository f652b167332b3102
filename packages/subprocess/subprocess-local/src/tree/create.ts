import { ProcessGroup } from './group.ts'
import { LinuxTree, type TreeNeighbours } from './linux.ts'
import type { ProcessTree } from './tree.ts'
import { WindowsTree } from './windows.ts'

/** The one place that knows which platform finds trees how. */
export function createTree(
  platform: NodeJS.Platform,
  leader: number,
  spawnId: string,
  neighbours: TreeNeighbours,
): ProcessTree {
  if (platform === 'win32') return new WindowsTree(leader)
  if (platform === 'linux') return new LinuxTree(leader, spawnId, neighbours)
  return new ProcessGroup(leader)
}
