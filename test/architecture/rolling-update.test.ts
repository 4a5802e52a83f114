// `ops/rolling-update.sh` with a stand-in for docker, which keeps its containers in files.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const SCRIPT = path.resolve(import.meta.dirname, '../../ops/rolling-update.sh')

/**
 * `docker compose ps` and `up` of one service, `stop` and `rm`. Where `unhealthy` exists, no new
 * container gets healthy.
 */
const DOCKER = `#!/bin/sh
cd "$(dirname "$0")"
case "$1 $2" in
'compose run') ;;
'compose ps') for last; do :; done; ls containers | grep "^$last-" ;;
'compose up')
  for last; do :; done
  want=$(echo "$*" | sed "s/.*--scale $last=//; s/ .*//")
  n=0
  while [ "$(ls containers | grep -c "^$last-")" -lt "$want" ]; do n=$((n + 1)); : >>"containers/$last-$$-$n"; done
  [ ! -e unhealthy ]
  ;;
'stop -t') for last; do :; done; echo "$last" >>stopped ;;
rm*) rm "containers/$2" ;;
esac
`

function begin(containers: string[]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-docker-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  fs.writeFileSync(path.join(folder, 'docker'), DOCKER, { mode: 0o755 })
  fs.mkdirSync(path.join(folder, 'containers'))
  for (const name of containers) fs.writeFileSync(path.join(folder, 'containers', name), '')
  return {
    folder,
    containers: () => fs.readdirSync(path.join(folder, 'containers')),
    run: () => spawnSync(SCRIPT, { env: { PATH: `${folder}:${process.env.PATH}` }, encoding: 'utf8' }),
  }
}

const OLD = ['api-1', 'api-2', 'worker-1']

it('a rolling update replaces each container by one', () => {
  const docker = begin(OLD)
  expect(docker.run()).toMatchObject({ status: 0, stderr: '' })
  const after = docker.containers()
  expect(after.map((name) => name.split('-')[0])).toEqual(['api', 'api', 'worker'])
  for (const name of OLD) expect(after).not.toContain(name)
})

it('a rolling update whose new containers do not get healthy removes them, drained, and fails, also when it is repeated', () => {
  const docker = begin(OLD)
  fs.writeFileSync(path.join(docker.folder, 'unhealthy'), '')
  for (const attempt of [1, 2]) {
    const { status, stderr } = docker.run()
    expect(status, `attempt ${attempt}`).toBe(1)
    expect(stderr).toBe('the new containers of api did not get healthy and are removed; the old ones continue\n')
    expect(docker.containers()).toEqual(OLD)
  }
  expect(fs.readFileSync(path.join(docker.folder, 'stopped'), 'utf8').trim().split('\n')).toHaveLength(4)
})

it('a rolling update without a running container changes nothing and says what to do', () => {
  const docker = begin(['api-1'])
  const { status, stderr } = docker.run()
  expect(stderr).toBe('no container of worker is running: start the product with `docker compose up --detach`\n')
  expect(status).toBe(1)
  expect(docker.containers()).toEqual(['api-1'])
})
