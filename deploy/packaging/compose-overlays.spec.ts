import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../system/paths.mjs';

const read = (file: string) => parse(fs.readFileSync(path.join(ROOT, file), 'utf8'), { merge: true });

it('compose.stripe.yml gives payment alone the secrets of Stripe, in files, and a way out', () => {
  const { services } = read('deploy/compose.stripe.yml');
  const names = ['stripe_secret_key', 'stripe_webhook_secret'];
  expect(services).toEqual({
    payment: {
      environment: Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_FILE`, `/run/secrets/${name}`])),
      networks: ['out'],
    },
  });
  expect(Object.keys(read('docker-compose.yml').networks)).toContain('out');
});

describe('compose.three-nats.yml', () => {
  const { services } = read('deploy/compose.three-nats.yml');
  const base = read('docker-compose.yml').services;
  const servers = ['nats', 'nats-2', 'nats-3'];

  it('names all servers to every process that speaks to one', () => {
    const speakers = Object.keys(base).filter((name) => base[name].environment?.NATS_URL);
    for (const name of speakers)
      expect([name, services[name]?.environment.NATS_URL]).toEqual([
        name,
        servers.map((server) => `nats://${server}:4222`).join(','),
      ]);
    expect(services['bus-setup'].environment.STREAM_REPLICAS).toBe(String(servers.length));
  });

  it('starts each as the single one, under a name of its own, which the others reach on a network without anybody else', () => {
    const [file, ...routes] = ['nats-cluster.conf', ...servers.map((_, index) => `route-${index + 1}:6222`)];
    const config = fs.readFileSync(path.join(ROOT, 'deploy', file!), 'utf8');
    expect([...config.matchAll(/nats:\/\/([^"]+)/g)].map(([, route]) => route)).toEqual(routes);
    for (const [index, server] of servers.entries()) {
      const { command, networks, environment, volumes } = services[server];
      expect(command).toEqual(['nats-server', '--config', `/etc/nats/${file}`]);
      expect(volumes).toContain(`./deploy/${file}:/etc/nats/${file}:ro`);
      expect(environment).toEqual({ NATS_SERVER_NAME: `nats-${index + 1}`, NATS_ROUTE: routes[index] });
      expect(networks).toEqual({ routes: { aliases: [`route-${index + 1}`] } });
    }
    const others = Object.keys(services).filter((name) => !servers.includes(name));
    expect(others.filter((name) => services[name].networks)).toEqual([]);
  });

  it('has the same cluster with TLS by the file that joins it with compose.tls.yml', () => {
    const joined = read('deploy/compose.three-nats-tls.yml').services;
    expect(Object.keys(joined)).toEqual(servers);
    for (const { command } of Object.values<{ command: string[] }>(joined))
      expect(command.at(-1)).toBe('/etc/nats/nats-cluster-tls.conf');
    const clusterOf = (file: string) =>
      fs
        .readFileSync(path.join(ROOT, 'deploy', file), 'utf8')
        .replace(/^.*(?=server_name)/s, '')
        .replace(/ {2}tls \{[^}]*\}\n/, '');
    expect(clusterOf('nats-cluster-tls.conf')).toBe(clusterOf('nats-cluster.conf'));
  });
});
