import { ProcessGroup } from './group.ts'
import { LinuxTree, type TreeMarks } from './linux.ts'
import type { ProcessTree, TreeServices } from './tree.ts'
import { WindowsTree } from './windows.ts'

/** The one place that knows which platform finds trees how. */
export function createTree(platform: NodeJS.Platform, marks: TreeMarks, services: TreeServices): ProcessTree {
  if (platform === 'win32') return new WindowsTree(marks.leader)
  if (platform === 'linux') return new LinuxTree(marks, services)
  return new ProcessGroup(marks.leader, services)
}
