// The problems of links and images next to posts, as messages.
import { imageTypes } from '../api/media.ts'
import { quote } from '../diagnostics.ts'
import type { Problem } from './problems.ts'

/** A path out of the folders that posts lead to. */
export function outside(url: string): Problem {
  return {
    code: 'outside-workspace',
    message: `${quote(url)} leads out of the posts and images of this workspace.`,
    hint: 'Put the file below "posts" or "media" of the workspace.',
  }
}

/** A file that is no image of a known type. */
export function unsupported(url: string): Problem {
  return {
    code: 'unsupported-image',
    message: `${quote(url)} is no image that is published; SVG is none, because it can run scripts.`,
    hint: `Take one of ${[...imageTypes.keys()].join(', ')}.`,
  }
}

/** A relative path to no image. */
export function missingImage(url: string): Problem {
  const message = `There is no image ${quote(url)}.`
  return { code: 'missing-image', message, hint: 'Put it beside the post.' }
}

/** A path from the root of a site to no image. */
export function missingRootImage(url: string): Problem {
  const message = `There is no image ${quote(url)} below \`media.roots\`.`
  return { code: 'missing-image', message, hint: 'Put it below one of these folders.' }
}

/** A path to no post. */
export function missingPost(url: string): Problem {
  const message = `There is no post ${quote(url)}.`
  return { code: 'broken-link', message, hint: 'Write the path of its file, from this one.' }
}

/** A path to a draft. */
export function leadsToDraft(url: string): Problem {
  return {
    code: 'draft-link',
    severity: 'warning',
    message: `${quote(url)} is a draft, which has no address; the link stays as it is written.`,
    hint: 'Publish the draft, or take the link out.',
  }
}

/** An image of a private workspace. */
export function closed(url: string): Problem {
  return {
    code: 'private-image',
    message: `This workspace is private, and ${quote(url)} would be readable by everybody with its address.`,
    hint: 'Put the image where you decide who reads it, and write its whole address.',
  }
}
