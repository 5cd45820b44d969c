// From how many posts on an index holds neighbours of heavy words: one that does is made of all posts each time.
// Alone in its file: builds ask for it before they load what makes an index.

/** Posts of a workspace. */
export const pairsPostsMin = 1024
