import { z } from 'zod'
import { PRINCIPAL_PATTERN } from './principal.ts'

const ids = (what: string) =>
  z
    .array(z.string().regex(PRINCIPAL_PATTERN, 'must be "platform:name", for example "cli:local"'))
    .default([])
    .describe(what)

export const PermissionConfig = z.strictObject({
  admins: ids('Principals with the role admin.'),
  adminGroups: ids('Group chats in which every member has the role admin.'),
  users: ids('Principals with the role user.'),
  userGroups: ids('Group chats in which every member has the role user.'),
  adminInGroupChats: z
    .boolean()
    .default(false)
    .describe(
      'Whether an admin keeps that role in a group chat, where others write to the same agent; otherwise user.',
    ),
})
export type PermissionConfig = z.infer<typeof PermissionConfig>
