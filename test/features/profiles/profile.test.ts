// How a poll changes what is known of a game server.
import { describe, expect, it } from 'vitest'
import { changedProfile, selfReportedFields } from '../../../src/features/profiles/index.ts'

const PNG = Buffer.from('an image')

describe('changedProfile', () => {
  it('is undefined for a poll that says what is known', () => {
    expect(changedProfile({ motd: 'Hello' }, { motd: 'Hello' })).toBeUndefined()
    expect(changedProfile(null, {})).toBeUndefined()
    expect(changedProfile(null, { motd: '', icon: null })).toBeUndefined()
  })

  it('keeps fields that a poll did not ask for, and drops those that are no longer reported', () => {
    expect(
      changedProfile({ motd: 'Hello', mods: 'a,b', website: 'https://a.example' }, { motd: 'Bye', mods: '' }),
    ).toEqual({
      profile: { motd: 'Bye', website: 'https://a.example' },
    })
  })

  it('names an icon by the hash of its bytes, and has the bytes only of a new one', () => {
    const first = changedProfile(null, { icon: PNG })
    const hash = first?.icon?.hash ?? ''
    expect(hash).toMatch(/^[\w-]{43}$/)
    expect(first).toEqual({ profile: { icon: hash }, icon: { hash, png: PNG } })
    expect(changedProfile({ icon: hash }, { icon: PNG })).toBeUndefined()
    expect(changedProfile({ icon: hash }, { icon: PNG, motd: 'New' })).toEqual({ profile: { icon: hash, motd: 'New' } })
    expect(changedProfile({ icon: hash, motd: 'New' }, { icon: null })).toEqual({ profile: { motd: 'New' } })
  })
})

describe('selfReportedFields', () => {
  const own = { description: '', website: '', bannerUrl: '', gameMode: '', mods: '' }

  it('has the fields that the owner left empty and the game server reports', () => {
    const profile = { description: 'About us', mods: 'a,b', motd: 'Hello' }
    expect(selfReportedFields({ ...own, mods: 'mine' }, profile)).toEqual(['description'])
    expect(selfReportedFields(own, profile)).toEqual(['description', 'mods'])
    expect(selfReportedFields(own, null)).toEqual([])
  })
})
