// Lists the workspaces of a content folder without reading their content.
import { readdir } from 'node:fs/promises'

/**
 * Returns the ids of all workspaces in code unit order: folders, without links, hidden folders and `node_modules`.
 *
 * @param root the content folder: absolute, with links resolved
 */
export async function listWorkspaces(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .sort()
}
