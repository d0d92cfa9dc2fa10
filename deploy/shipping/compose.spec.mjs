import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { nodeProgram } from '../local/node-program.mjs';
import { ROOT } from '../local/paths.mjs';
import { freePort } from '../local/ports.mjs';
import { nodeFlags } from '../local/product-processes.mjs';
import { COMPOSE_FILE, readCompose } from './compose-file.mjs';
import { findComposeProgram } from './compose-program.mjs';
import { readDockerfile } from './dockerfile.mjs';

const SECRET = Buffer.alloc(32, 7).toString('base64');
const SECRETS = { KEY_PEPPER: SECRET, DATA_KEY: SECRET, CURSOR_SECRET: SECRET };
/** A value for everything that .env may set. */
const ALL = {
  ...SECRETS,
  DATABASE_PREFIX: 'baths',
  DATA_KEYS_ALSO_READ: SECRET,
  FAILED_AUTH_PER_MINUTE: '10',
  GATEWAY_LISTEN: '9000',
  KEY_PEPPERS: `1:${SECRET}`,
  KEY_PEPPER_VERSION: '2',
  LOG_LEVEL: 'warn',
  PINNED_ENVIRONMENT: 'test',
  RATE_LIMIT_PER_HOUR: '2000',
  RATE_LIMIT_PER_MINUTE: '200',
  TRUSTED_PROXIES: '10.0.0.0/8',
};
const compose = readCompose(SECRETS);
const processes = [...fs.readdirSync(path.join(ROOT, 'services')), 'gateway'];
const everything = Object.entries(compose.services);
const seconds = (text) => Number(/^(\d+)s$/.exec(text)[1]);

describe('the compose file', () => {
  it('has an entry for every service and the gateway, and builds nothing else', () => {
    const built = everything.filter(([, { build }]) => build).map(([name]) => name);
    expect(built.sort()).toEqual([...processes].sort());
    expect(everything.filter(([, { build }]) => !build).map(([name]) => name)).toEqual(['mongo', 'nats']);
  });

  it.each(processes)('builds %s with the Dockerfile, by its name', (name) => {
    expect(compose.services[name].build).toEqual({
      context: '.',
      dockerfile: 'deploy/Dockerfile',
      args: { SERVICE: name },
    });
  });

  it('names the release of every image it takes', () => {
    const images = everything.flatMap(([, { image }]) => image ?? []);
    expect(images).toEqual([
      expect.stringMatching(/^mongo:\d+\.\d+$/),
      expect.stringMatching(/^nats:\d+\.\d+-alpine$/),
    ]);
  });

  it('keeps the data of database and NATS in volumes', () => {
    expect(compose.services.mongo.volumes).toContain('mongo-data:/data/db');
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(['mongo-data', 'nats-data']));
  });

  it('lets every service but the gateway run more than once: no fixed name, no port of this machine', () => {
    expect(everything.filter(([, { container_name: name }]) => name)).toEqual([]);
    expect(everything.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['gateway']);
  });

  it('publishes the port that the gateway listens at, by default for this machine only', () => {
    const { ports, environment } = compose.services.gateway;
    expect(ports).toEqual([`127.0.0.1:8080:${environment.PORT}`]);
    expect(readCompose(ALL).services.gateway.ports).toEqual([`9000:${environment.PORT}`]);
  });

  it('runs every process with the flags that it has without containers', () => {
    const [{ text }] = readDockerfile()
      .at(-1)
      .instructions.filter(({ word }) => word === 'CMD');
    const commands = processes.map((name) => compose.services[name].command ?? JSON.parse(text));
    expect(commands).toEqual(processes.map((name) => ['node', ...nodeFlags(name), 'dist/main.js']));
  });

  it('shuts everything but the gateway off from other networks', () => {
    expect(compose.networks.inside.internal).toBe(true);
    for (const [name, { networks }] of everything)
      expect(networks).toEqual(name === 'gateway' ? ['inside', 'outside'] : ['inside']);
  });

  it('starts nothing before what it needs is healthy', () => {
    const needs = everything.flatMap(([, each]) => Object.entries(each.depends_on ?? {}));
    for (const [name, { condition }] of needs) {
      expect(condition).toBe('service_healthy');
      expect(compose.services[name].healthcheck.test[0]).toBe('CMD');
    }
    expect(Object.keys(compose.services.gateway.depends_on).sort()).toEqual(['nats', ...processes.slice(0, -1)].sort());
  });

  it.each(everything)('restarts %s, gives it time to stop and little to harm', (_, each) => {
    expect(each).toMatchObject({ restart: 'unless-stopped', read_only: true, cap_drop: ['ALL'] });
    expect(each.mem_limit).toMatch(/^\d+[mg]$/);
    // A write may take ten seconds, and what it has written is published after it.
    expect(seconds(each.stop_grace_period)).toBeGreaterThanOrEqual(20);
  });

  it.each(Object.keys(SECRETS))('has no default for %s', (name) => {
    expect(() => readCompose({ ...SECRETS, [name]: '' })).toThrow(`required variable ${name} is missing a value`);
  });

  it('shows each secret to those only who read it', () => {
    const holders = (name) => everything.filter(([, each]) => each.environment?.[name]).map(([holder]) => holder);
    expect(holders('KEY_PEPPER')).toEqual(['people']);
    expect(everything.filter(([, each]) => 'KEY_PEPPERS' in (each.environment ?? {})).map(([name]) => name)).toEqual([
      'people',
    ]);
    expect(holders('DATA_KEY').sort()).toEqual(processes.slice(0, -1).sort());
  });
});

describe.each(processes)('the environment of %s', (name) => {
  const given = compose.services[name].environment;

  it('is a configuration that it accepts', () => {
    expect(readConfigOf(name, given)).toMatchObject({ status: 0, stderr: '' });
  });

  it('holds nothing that it does not read, whatever .env sets', () => {
    const { environment } = readCompose(ALL).services[name];
    const { status, stdout, stderr } = readConfigOf(name, environment);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  it('holds all that has no default; without one of them it ends with a sentence', () => {
    const { stderr } = readConfigOf(name, {});
    const required = stderr.split('\n').flatMap((line) => /^ {2}(\w+): is missing$/.exec(line)?.[1] ?? []);
    expect(required).toContain('NATS_URL');
    expect(Object.keys(given)).toEqual(expect.arrayContaining(required));
    const removed = required.at(-1);
    const without = Object.fromEntries(Object.entries(given).filter(([each]) => each !== removed));
    expect(readConfigOf(name, without)).toMatchObject({
      status: 78,
      stderr: `The configuration is not usable:\n  ${removed}: is missing\n`,
    });
  });
});

describe('the health check', () => {
  const { test, interval, timeout, retries } = compose.services.people.healthcheck;

  it('is the same for all, and that of the Dockerfile', () => {
    for (const name of processes)
      expect(compose.services[name].healthcheck).toEqual(compose.services.people.healthcheck);
    const [{ text }] = readDockerfile()
      .at(-1)
      .instructions.filter(({ word }) => word === 'HEALTHCHECK');
    const [options, command] = text.split(/\s*CMD\s+/);
    expect(['CMD', ...JSON.parse(command)]).toEqual(test);
    expect(options).toContain(`--interval=${interval} --timeout=${timeout}`);
    expect(options).toContain(`--retries=${retries}`);
  });

  it('succeeds when a process is ready, and fails while it is not or is gone', async () => {
    const { HealthServer } = await import(pathToFileURL(path.join(ROOT, 'libs/platform/dist/health.js')).href);
    const health = new HealthServer();
    const port = await freePort();
    await health.listen(port, '127.0.0.1');
    const statuses = [await check(test, port)];
    health.ready();
    statuses.push(await check(test, port));
    await health.close();
    statuses.push(await check(test, port));
    expect(statuses).toEqual([1, 0, 1]);
  });

  it('asks the port at which the process answers', () => {
    for (const name of processes) expect(compose.services[name].environment.HEALTH_PORT).toBe('9090');
  });
});

const program = await findComposeProgram(say).catch((error) => {
  say(`docker-compose: not to be had, so it does not check docker-compose.yml: ${error.message}`);
});

// Where it cannot be had, that has been said, and the checks above have been made all the same.
if (program) {
  describe('docker-compose itself', () => {
    const config = (env, ...args) => {
      const words = [...program.args, '--file', COMPOSE_FILE, '--env-file', '/dev/null', 'config', ...args];
      return spawnSync(program.command, words, { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' });
    };

    it('finds nothing wrong with the file', () => {
      expect(config(SECRETS, '--quiet')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    });

    it('reads it as these tests do', () => {
      const { services } = JSON.parse(config(ALL, '--format', 'json').stdout);
      for (const [name, { environment }] of Object.entries(readCompose(ALL).services))
        expect(services[name].environment).toEqual(environment);
    });

    it.each(Object.keys(SECRETS))('asks for %s', (name) => {
      const { status, stderr } = config({ ...SECRETS, [name]: '' }, '--quiet');
      expect(status).not.toBe(0);
      expect(stderr).toContain(`required variable ${name} is missing a value: make it as deploy/README.md says`);
    });
  });
}

/** Reads a process's configuration in a process of its own, which sees this environment and nothing else. */
function readConfigOf(name, env) {
  const file = path.join(ROOT, name === 'gateway' ? name : `services/${name}`, 'dist/config.js');
  const script =
    `const module = await import(${JSON.stringify(pathToFileURL(file).href)});` +
    'console.log(JSON.stringify(Object.keys(module.config ?? module.readGatewayConfig())));';
  const { status, stdout, stderr } = spawnSync(nodeProgram(), ['--input-type=module', '--eval', script], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** Runs a container's health check here; not blocking, since the server that it asks may be ours. */
async function check([, program, ...args], port) {
  const command = program === 'node' ? nodeProgram() : program;
  const child = spawn(command, args, { env: { HEALTH_PORT: String(port) }, stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', resolve));
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
