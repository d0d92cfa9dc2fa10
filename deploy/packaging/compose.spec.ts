import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { ProcessName, ServiceName } from '@swim/contracts';
import { ROOT } from '../system/paths.mjs';
import { nodeProgram } from '../system/processes/node-program.mjs';
import { freePort } from '../system/processes/ports.ts';
import { COMPOSE_FILE, type ComposeFile, type ComposeService, readCompose, secretsMountOf } from './compose-file.ts';
import { findComposeProgram } from './compose-program.ts';
import { ALL } from './compose-settings.ts';
import { DOCKERFILE } from './dockerfile.ts';
import { makeSecrets } from './secrets.ts';

const SERVICES = fs.readdirSync(path.join(ROOT, 'services')) as ServiceName[];
const secrets = makeSecrets();
afterAll(secrets.remove);
/** The configuration of each process that is not a service is in this folder. */
const PLACES: Record<string, string> = {
  gateway: 'gateway/dist',
  audit: 'services/booking/dist/audit',
  'bus-setup': 'services/notification/dist/bus-setup',
};
const PLATFORM = path.join(ROOT, 'libs/platform/dist/index.js');
/** Set by compose.stripe.yml, or where payment has another database. */
const OPTIONAL = new Set(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'PAYMENT_MONGODB_URI']);
const compose = readCompose({});
const processes: ProcessName[] = [...SERVICES, 'gateway'];
const everything = Object.entries(compose.services) as [keyof ComposeFile['services'], ComposeService][];
/** The name that compose gives to an image that it builds. */
const imageOf = (service: ServiceName) => `${compose.name}-${service}`;
const seconds = (text: string) => Number(/^(\d+)s$/.exec(text)?.[1]);

describe('the compose file', () => {
  it('builds an image for every service and the gateway, and no other', () =>
    expect(everything.flatMap(([name, { build }]) => (build ? [name] : [])).sort()).toEqual([...processes].sort()));

  it.each(processes)('builds %s with the Dockerfile, by its name', (name) => {
    expect(compose.services[name].build).toEqual({
      context: '.',
      dockerfile: 'deploy/Dockerfile',
      args: { SERVICE: name },
    });
  });

  it('audits the money by the image of booking, away from NATS', () => {
    const { image, pull_policy: policy, command, depends_on: needs } = compose.services.audit;
    expect([image, policy, command]).toEqual([imageOf('booking'), 'never', ['node', 'dist/audit.js']]);
    expect(Object.keys(needs!)).toEqual(['mongo']);
  });

  it('makes the streams by the image of notification, away from all but NATS', () => {
    const { image, pull_policy: policy, command, depends_on: needs } = compose.services['bus-setup'];
    expect([image, policy, command]).toEqual([imageOf('notification'), 'never', ['node', 'dist/bus-setup.js']]);
    expect(Object.keys(needs!)).toEqual(['nats']);
  });

  it('names the release of every image it takes', () => {
    const images = everything.flatMap(([, { image }]) => image?.split('@')[0] ?? []);
    expect(images.filter((image) => !image.startsWith(compose.name))).toEqual([
      expect.stringMatching(/^mongo:\d+\.\d+$/),
      compose.services.nats.image!.split('@')[0],
      expect.stringMatching(/^nats:\d+\.\d+-alpine$/),
      expect.stringMatching(/^haproxy:\d+\.\d+-alpine$/),
    ]);
  });

  it('keeps the data of database and NATS in volumes', () => {
    expect(Object.keys(compose.volumes)).toEqual(['mongo-data', 'mongo-config', 'nats-data']);
  });

  it('lets every process run more than once: no fixed name, and the only port of this machine is that of the proxy', () => {
    expect(everything.filter(([, { container_name: name }]) => name)).toEqual([]);
    expect(everything.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['proxy']);
  });

  it('publishes the port of the proxy, by default for this machine only', () => {
    expect([compose, readCompose(ALL)].map(({ services }) => services.proxy.ports)).toEqual([
      ['127.0.0.1:8080:8080'],
      ['9000:8080'],
    ]);
  });

  it('has the proxy look for gateways where they listen, and the gateways believe it', () => {
    const { gateway, proxy } = compose.services;
    const config = fs.readFileSync(path.join(ROOT, String(proxy.volumes![0]).split(':')[0]!), 'utf8');
    expect(config).toContain(`gateway:${gateway.environment!.PORT}\n`);
    expect(gateway.scale).toBeGreaterThan(1);
    const [{ subnet }] = compose.networks.front!.ipam!.config as [{ subnet: string }];
    expect(gateway.environment!.TRUSTED_PROXIES!.split(',')).toContain(subnet);
  });

  it('keeps the gateway away from the database, the database from NATS, and all but the gateway from outside', () => {
    expect(compose.networks).toMatchObject({ bus: { internal: true }, data: { internal: true } });
    expect([compose.networks.front?.internal, compose.networks.out?.internal]).toEqual([undefined, undefined]);
    const outside = { gateway: ['bus', 'front'], notification: ['bus', 'data', 'out'] };
    const inside = {
      proxy: ['front'],
      audit: ['data'],
      'bus-setup': ['bus'],
      mongo: ['data'],
      nats: ['bus'],
      'nats-volume': undefined,
    };
    const expected: Record<string, string[] | undefined> = { ...outside, ...inside };
    for (const [name, { networks }] of everything)
      expect([name, networks]).toEqual([name, name in expected ? expected[name] : ['bus', 'data']]);
    expect(compose.services['nats-volume'].network_mode).toBe('none');
  });

  it('exposes health and metrics only inside a container', () => {
    for (const name of processes) expect(compose.services[name].environment).not.toHaveProperty('HEALTH_HOST');
    for (const [, { ports }] of everything) expect(String(ports ?? '')).not.toContain('9090');
  });

  it('runs nothing as root but what gives NATS its volume, which has neither a network nor a secret', () => {
    const asRoot = everything.filter(
      ([, { image, user }]) => image && !image.startsWith(compose.name) && /^0\b|^root\b|^$/.test(user ?? ''),
    );
    expect(asRoot.map(([name]) => name)).toEqual(['nats-volume']);
    const { user, volumes } = compose.services.nats;
    const { command, cap_add: added } = compose.services['nats-volume'];
    expect(command!.slice(0, 3)).toEqual(['chown', '-R', user]);
    expect(volumes).toContain(`nats-data:${command![3]}`);
    expect([added, secretsMountOf(compose.services['nats-volume'])]).toEqual([['CHOWN', 'DAC_READ_SEARCH'], undefined]);
  });

  it('starts nothing before what it needs is healthy', () => {
    const needs = everything.flatMap(([, each]) => Object.entries(each.depends_on ?? {}));
    for (const [name, { condition }] of needs) {
      if (name === 'nats-volume') continue;
      expect(condition).toBe('service_healthy');
      expect(compose.services[name as ProcessName].healthcheck!.test[0]).toBe('CMD');
    }
    expect(Object.keys(compose.services.gateway.depends_on!).sort()).toEqual(
      ['nats', 'bus-setup', ...processes.slice(0, -1)].sort(),
    );
  });

  it.each(everything.filter(([name]) => name !== 'nats-volume'))(
    'restarts %s, gives it time to stop and little to harm',
    (_, each) => {
      expect(each).toMatchObject({ restart: 'unless-stopped', read_only: true, cap_drop: ['ALL'] });
      expect(each.mem_limit).toMatch(/^\d+[mg]$/);
      // A write may take ten seconds, and its events are published afterwards.
      expect(seconds(each.stop_grace_period ?? '')).toBeGreaterThanOrEqual(20);
    },
  );
});

describe.each([...processes, 'bus-setup', 'audit'] as const)('the environment of %s', (name) => {
  const given = secrets.mount(compose.services[name]);

  it('is a configuration that it accepts', () => {
    expect(readConfigOf(name, given)).toMatchObject({ status: 0, stderr: '' });
  });

  it('contains only variables that it reads, whatever .env sets', () => {
    const environment = secrets.mount(readCompose(ALL).services[name]);
    const { status, stdout, stderr } = readConfigOf(name, environment);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout).settings).toEqual(expect.arrayContaining(Object.keys(environment).map(settingOf)));
  });

  it('has each secret in a file, and none in a variable', () => {
    const { settings, secrets: marked } = JSON.parse(readConfigOf(name, given).stdout);
    const named = settings.filter((each: string) => /SECRET|KEY|PEPPER|PASSWORD|URI$|SMTP_URL/.test(each));
    expect([...marked, 'KEY_PEPPER_VERSION', 'STRIPE_PUBLISHABLE_KEY']).toEqual(expect.arrayContaining(named));
    const { environment = {} } = compose.services[name];
    expect(Object.keys(environment).filter((each) => marked.includes(each))).toEqual([]);
    for (const each of marked.filter((secret: string) => !OPTIONAL.has(secret)))
      expect([each, environment[`${each}_FILE`]]).toEqual([each, `/run/secrets/${each.toLowerCase()}`]);
  });

  it('holds all that has no default; without one of them it ends with a sentence', () => {
    const { stderr } = readConfigOf(name, {});
    const required = stderr.split('\n').flatMap((line) => /^ {2}(\w+): is missing$/.exec(line)?.[1] ?? []);
    expect(required).toContain(name === 'audit' ? 'MONGODB_URI' : 'NATS_URL');
    expect(Object.keys(given).map(settingOf)).toEqual(expect.arrayContaining(required));
    const removed = required.at(-1);
    const without = Object.fromEntries(Object.entries(given).filter(([each]) => settingOf(each) !== removed));
    expect(readConfigOf(name, without)).toMatchObject({
      status: 78,
      stderr: `The configuration is not usable:\n  ${removed}: is missing\n`,
    });
  });
});

describe('the health check', () => {
  const { test, interval, timeout, retries } = compose.services.people.healthcheck!;

  it('is the same for all, and that of the Dockerfile', () => {
    for (const name of [...processes, 'bus-setup', 'audit'] as const)
      expect(compose.services[name].healthcheck).toEqual(compose.services.people.healthcheck);
    const [, options, command = ''] = /^HEALTHCHECK (.*) \\\n +CMD (\[.*\])$/m.exec(DOCKERFILE) ?? [];
    expect(['CMD', ...JSON.parse(command)]).toEqual(test);
    expect(options).toContain(`--interval=${interval} --timeout=${timeout}`);
    expect(options).toContain(`--retries=${retries}`);
  });

  it('succeeds when a process is ready, and fails while it is not or is gone', async () => {
    const { HealthServer } = await import('@swim/platform');
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

  it('requests the port of the process', () => {
    for (const name of processes) expect(compose.services[name].environment!.HEALTH_PORT).toBe('9090');
  });
});

const program = await findComposeProgram(say).catch((error) => {
  say(`docker-compose: not to be had, so it does not check docker-compose.yml: ${error.message}`);
});

// Without a program, that has been logged, and the checks above have run all the same.
if (program) {
  describe('docker-compose itself', () => {
    const config = (env: Record<string, string>, ...args: string[]) => {
      const words = [...program.args, '--file', COMPOSE_FILE, '--env-file', '/dev/null', 'config', ...args];
      return spawnSync(program.command, words, { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' });
    };

    it('finds nothing wrong with the file', () => {
      expect(config({}, '--quiet')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    });

    it('finds nothing wrong with it and the file that adds TLS', () => {
      const files = ['--file', COMPOSE_FILE, '--file', path.join(ROOT, 'deploy/compose.tls.yml')];
      const words = [...program.args, ...files, '--env-file', '/dev/null', 'config', '--format', 'json'];
      const { status, stdout } = spawnSync(program.command, words, {
        env: { PATH: process.env.PATH },
        encoding: 'utf8',
      });
      expect(status).toBe(0);
      const { services } = JSON.parse(stdout);
      expect(services.people.environment).toMatchObject({ NATS_TLS_CA: '/run/secrets/nats_ca', HEALTH_PORT: '9090' });
      expect(services.people.volumes).toEqual([
        expect.objectContaining({ source: path.join(ROOT, 'secrets/mounted/people'), target: '/run/secrets' }),
      ]);
    });

    it('reads it as these tests do', () => {
      const { services } = JSON.parse(config(ALL, '--format', 'json').stdout);
      for (const [name, { environment }] of Object.entries(readCompose(ALL).services))
        expect(services[name].environment).toEqual(environment);
    });
  });
}

/** Returns the variable's setting, or that of the file with its value. */
function settingOf(variable: string) {
  return variable.replace(/_FILE$/, '');
}

/** Reads the configuration of a process in a separate process that has only this environment. */
function readConfigOf(name: string, env: Record<string, string>) {
  const file = path.join(ROOT, PLACES[name] ?? `services/${name}/dist`, 'config.js');
  const script =
    `const module = await import(${JSON.stringify(pathToFileURL(file).href)});` +
    `const { secretsOf } = await import(${JSON.stringify(pathToFileURL(PLATFORM).href)});` +
    'const config = module.config ?? module.readGatewayConfig();' +
    // An optional one whose file is empty is not set.
    'const settings = [...Object.keys(config), ...secretsOf(config)];' +
    'console.log(JSON.stringify({ settings, secrets: secretsOf(config) }));';
  const { status, stdout, stderr } = spawnSync(nodeProgram(), ['--input-type=module', '--eval', script], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** Runs a container's health check here, without blocking, since the checked server may be in this process. */
async function check([, program = '', ...args]: string[], port: number) {
  const command = program === 'node' ? nodeProgram() : program;
  const child = spawn(command, args, { env: { HEALTH_PORT: String(port) }, stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', resolve));
}

function say(line: string) {
  process.stderr.write(`${line}\n`);
}
