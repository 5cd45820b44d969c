// Problem messages for links and images.
import { imageTypes } from '../api/media.ts'
import { quote } from '../diagnostics.ts'
import type { Problem } from './problems.ts'

/** Returns the problem of a path that leaves the folders of posts and images. */
export function outside(url: string): Problem {
  return {
    code: 'outside-workspace',
    message: `${quote(url)} leads out of the posts and images of this workspace.`,
    hint: 'Put the file below "posts" or "media" of the workspace.',
  }
}

/** Returns the problem of a file that is not an image of a supported type. */
export function unsupported(url: string): Problem {
  return {
    code: 'unsupported-image',
    message: `${quote(url)} is not an image that quarry publishes; an SVG can run scripts.`,
    hint: `Use one of ${[...imageTypes.keys()].join(', ')}.`,
  }
}

/** Returns the problem of a link to a file that is neither a post nor an image. */
export function unpublished(url: string): Problem {
  return {
    code: 'unpublished-file',
    message: `${quote(url)} is not published: only posts and images are.`,
    hint: 'Put the file where your site serves it, and link to its full URL.',
  }
}

/** Returns the problem of a relative path to a missing image. */
export function missingImage(url: string): Problem {
  const message = `There is no image ${quote(url)}.`
  return { code: 'missing-image', message, hint: 'Put it next to this file, or in "media".' }
}

/** Returns the problem of a root-relative path to a missing image. */
export function missingRootImage(url: string): Problem {
  const message = `There is no image ${quote(url)} below \`media.roots\`.`
  return { code: 'missing-image', message, hint: 'Put it below one of these folders.' }
}

/** Returns the problem of a path to a missing post. */
export function missingPost(url: string): Problem {
  const message = `There is no post ${quote(url)}.`
  return { code: 'broken-link', message, hint: 'Use a path relative to this file.' }
}

/** Returns the problem of a path to a draft. */
export function leadsToDraft(url: string): Problem {
  return {
    code: 'draft-link',
    severity: 'warning',
    message: `${quote(url)} is a draft, which has no URL; the link stays as it is written.`,
    hint: 'Publish the draft, or remove the link.',
  }
}

/** Returns the problem of an image in a private workspace. */
export function closed(url: string): Problem {
  return {
    code: 'private-image',
    message: `This workspace is private, and ${quote(url)} would be readable by anyone who knows its URL.`,
    hint: 'Host the image where you control who reads it, and use its full URL.',
  }
}
