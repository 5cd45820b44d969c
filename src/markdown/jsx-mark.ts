/** The property of an HTML element in a tree that an author wrote as JSX. */
export const jsxMark = 'dataJsx'
