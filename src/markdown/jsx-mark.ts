/** The property that marks elements written as JSX in an HTML tree. */
export const jsxMark = 'dataJsx'
