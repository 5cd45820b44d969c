export { default } from './handler.mjs'
export const config = { path: '/*', preferStatic: true }
