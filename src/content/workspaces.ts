// Lists the workspaces of a content folder without reading what is in them.
import { readdir } from 'node:fs/promises'

/**
 * Ids of all workspaces, in code unit order: folders that are no links, but for hidden ones and `node_modules`.
 *
 * @param root the content folder: absolute, free of links
 */
export async function listWorkspaces(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .sort()
}
