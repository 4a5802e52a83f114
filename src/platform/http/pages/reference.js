// Starts Swagger UI as it is used here: nothing from elsewhere, light or dark as the system is, and locks that mean what they show.
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

/** An endpoint that nobody must log in for counts as authorized for everybody, so its lock would be closed before there is a key. */
const keyOnlyOnceGiven = (original) => (_state, securities) => original(securities?.filter((one) => one.size > 0))

SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  syntaxHighlight: { theme: 'obsidian' }, // the default's numbers are too dark to read
  validatorUrl: null, // the badge would send the document to a site elsewhere
  plugins: [{ statePlugins: { auth: { wrapSelectors: { isAuthorized: keyOnlyOnceGiven } } } }],
})
