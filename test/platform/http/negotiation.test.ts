// What a client accepts: content codings by weight, pages or JSON, and entity tags.
import { describe, expect, it } from 'vitest'
import { acceptedCodings, matchesEtag, prefersHtml } from '../../../src/platform/http/negotiation.ts'

describe('Accept-Encoding', () => {
  it.each([
    [undefined, ['identity']],
    ['', ['identity']],
    ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
    ['gzip', ['gzip', 'identity']],
    ['GZIP', ['gzip', 'identity']],
    ['br;q=0, gzip', ['gzip', 'identity']],
    ['gzip;q=0.5, br;q=0.1', ['gzip', 'br', 'identity']],
    ['identity;q=0.5, gzip;q=0.1', ['identity', 'gzip']],
    ['*', ['br', 'gzip', 'identity']],
    ['*;q=0.5, br;q=0', ['gzip', 'identity']],
    ['*;q=0', []],
    ['not-br, x-gzip', ['identity']],
    [`gzip${' '.repeat(200)}`, ['identity']],
  ])('%s accepts %j, best first', (header, codings) => {
    const headers = header === undefined ? {} : { 'accept-encoding': header }
    expect(acceptedCodings(headers)).toEqual(codings)
    expect(acceptedCodings(headers)).toEqual(codings) // from memory
  })
})

describe('Accept', () => {
  it.each([
    [undefined, false],
    ['*/*', false],
    ['application/json', false],
    ['text/html', true],
    ['text/*', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/json, text/html;q=0.1', false],
    ['text/html;q=0', false],
    ['text/htmlx', false],
    [`text/html${' '.repeat(491)}`, true],
    [`text/html${' '.repeat(492)}`, false],
  ])('%s prefers a page to JSON: %s', (accept, expected) => {
    expect(prefersHtml(accept === undefined ? {} : { accept })).toBe(expected)
  })
})

describe('If-None-Match', () => {
  it.each([
    [undefined, '"a"', false],
    ['', '"a"', false],
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['"b", W/"a"', '"a"', true],
    ['"b" , "a" ', '"a"', true],
    ['*', '"a"', true],
    ['"ab"', '"a"', false],
    ['a', '"a"', false],
  ])('%s and the tag %s match: %s', (header, etag, expected) => {
    expect(matchesEtag(header, etag)).toBe(expected)
  })
})
