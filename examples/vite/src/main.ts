import { posts } from 'virtual:quarry/handbook'

const items = posts.map(({ title, publishedAt }) => {
  const item = document.createElement('li')
  item.textContent = `${title}, ${publishedAt.slice(0, 10)}`
  return item
})
document.querySelector('#posts')?.replaceChildren(...items)
