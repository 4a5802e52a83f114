// Adding a server: the name in the preview follows the field.
import './buttons.ts'

document.addEventListener('input', ({ target }) => {
  const { id, value } = target as HTMLInputElement
  const name = document.querySelector('.looks h2 a')
  if (id === 'name' && name && value.trim() !== '') name.textContent = value
})
