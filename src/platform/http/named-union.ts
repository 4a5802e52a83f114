// Describes an object of which one field or another must be given.

type JsonSchema = Record<string, unknown>

/**
 * The `meta` of an object whose refinement says the same: the document gives an object for each field, with that
 * field required. A rule next to the properties (`anyOf: [{ required: ['ids'] }]`) means the same, but
 * generators then make no type.
 * @param id name of its component
 * @param rule `oneOf`: exactly one of the fields. `anyOf`: at least one
 * @param titles names of the objects, by field
 */
export const namedUnion = (id: string, rule: 'oneOf' | 'anyOf', titles: Record<string, string>) => ({
  id,
  override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => {
    const {
      properties,
      type: _object,
      additionalProperties,
      ...rest
    } = jsonSchema as JsonSchema & {
      properties: JsonSchema
    }
    const isClosed = additionalProperties === false
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
    const propertiesOf = (field: string) =>
      rule === 'anyOf'
        ? properties
        : Object.fromEntries(Object.entries(properties).filter(([name]) => name === field || !(name in titles)))
    Object.assign(jsonSchema, rest, {
      [rule]: Object.entries(titles).map(([field, title]) => ({
        title,
        type: 'object',
        properties: propertiesOf(field),
        required: [field],
        ...(isClosed ? { additionalProperties } : {}),
      })),
    })
  },
})
