import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type ComposeService, readCompose, secretsMountOf } from '../packaging/compose-file.ts';
import { makeSecrets } from '../packaging/secrets.ts';
import { ROOT } from '../system/paths.mjs';
import { kustomizationOf, objectsOf, readProcess, secretsOf } from './kubernetes-files.ts';
import { type NetworkPolicy, type Place, type Port, passes } from './network-policies.ts';

const { name: project, services } = readCompose({});
const processes = (Object.entries(services) as [keyof typeof services, ComposeService][]).filter(
  ([, { environment }]) => environment?.HEALTH_PORT,
);
const template = objectsOf('process/deployment.yaml').find(({ kind }) => kind === 'Deployment').spec;
const pod = template.template.spec;
const [container] = pod.containers;
const seconds = (text: string) => Number(/^(\d+)s$/.exec(text)?.[1]);
const bytes = (text: string) => Number.parseInt(text, 10) * (/g/i.test(text) ? 1024 : 1);
const secrets = makeSecrets();
afterAll(secrets.remove);
const mounted = (service: ComposeService) => {
  const folder = path.basename(secretsMountOf(service)!.source);
  return { folder, files: fs.readdirSync(path.join(secrets.folder, 'mounted', folder)).sort() };
};
/** Without what has the default of the code, or differs with the proxy in front. */
const settingsOf = ({ environment = {} }: ComposeService) =>
  Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value && !['LOG_LEVEL', 'TRUSTED_PROXIES'].includes(name)),
  );

/** In compose the proxy takes a gateway that ends out of its list. */
const withoutProxy = (name: string) => (name === 'gateway' ? { DRAIN_SECONDS: '10' } : {});

const LABEL = 'app.kubernetes.io';
const namespaceOf = (name: string) => ({ 'kubernetes.io/metadata.name': name });
const podOf = (name: string, networks: string[], ports: Port[]) => ({
  name,
  place: {
    labels: {
      [`${LABEL}/part-of`]: project,
      [`${LABEL}/component`]: name,
      ...Object.fromEntries(networks.map((network) => [`network-${network}`, 'member'])),
    },
  },
  ports,
});
const health = { number: 9090, name: 'health' };
const portsOfNats = [{ number: 4222, name: 'client' }, { number: 6222, name: 'cluster' }, { number: 8222 }];
const pods = [
  podOf('nats', ['bus'], portsOfNats),
  podOf('mongo', ['data'], [{ number: 27017, name: 'client' }]),
  ...processes.map(([name]) => {
    const ports = name === 'gateway' ? [health, { number: 8080, name: 'http' }] : [health];
    return podOf(name, readProcess(name).networks, ports);
  }),
];
const https = [{ number: 443 }];
const others = [
  { name: 'the internet', place: { address: '203.0.113.7' }, ports: https },
  ...['10.0.0.7', '169.254.169.254', '192.168.1.7', '::1', 'fd00::7'].map((address) => ({
    name: address,
    place: { address },
    ports: https,
  })),
  { name: 'another namespace', place: { labels: {}, namespace: namespaceOf('default') }, ports: https },
];
const reachedFrom = (from: Place, all: { name: string; place: Place; ports: Port[] }[]) =>
  all.flatMap(({ name, place, ports }) =>
    ports.flatMap((port) => (passes(policies, from, place, port) ? [`${name}:${port.number}`] : [])),
  );
const policies: NetworkPolicy[] = [
  'base/networks.yaml',
  'servers/nats/nats.yaml',
  'servers/mongo/mongo.yaml',
  'overlays/three-hosts/nats-cluster.yaml',
  '../monitoring/pod-monitor.yaml',
]
  .flatMap(objectsOf)
  .filter(({ kind }) => kind === 'NetworkPolicy');

describe('kubernetes', () => {
  it('has every process of the compose file, and no other', () => {
    const folders = fs.readdirSync(path.join(ROOT, 'deploy/kubernetes/base'), { withFileTypes: true });
    const names = folders.filter((each) => each.isDirectory()).map((each) => each.name);
    expect(names.sort()).toEqual(processes.map(([name]) => name).sort());
    expect(kustomizationOf('base').resources).toEqual(expect.arrayContaining(names));
  });

  it.each(processes)('gives %s the image, command, settings, networks and secrets of compose', (name, each) => {
    const process = readProcess(name);
    expect(process).toEqual({
      image: each.image ?? `${project}-${(each.build as { args: { SERVICE: string } }).args.SERVICE}`,
      args: each.command,
      environment: { ...settingsOf(each), ...withoutProxy(name), HEALTH_HOST: '0.0.0.0' },
      networks: each.networks!.toSorted(),
      secretName: `swim-${name}`,
    });
    expect(secretsOf(process.secretName)).toEqual(mounted(each));
  });

  it.each(['mongo', 'nats'] as const)('runs %s by the image, as the user and with the secrets of compose', (name) => {
    const [set] = objectsOf(`servers/${name}/${name}.yaml`);
    const { containers, securityContext } = set.spec.template.spec;
    const { image, user, mem_limit: limit, networks, command } = services[name];
    expect(containers[0].image).toBe(image);
    expect(containers[0].command).toEqual(command);
    expect(`${securityContext.runAsUser}:${securityContext.fsGroup}`).toBe(user);
    expect(bytes(containers[0].resources.limits.memory)).toBe(bytes(limit!));
    expect(set.spec.template.metadata.labels).toMatchObject({ [`network-${networks![0]}`]: 'member' });
    expect(secretsOf(name)).toEqual(mounted(services[name]));
  });

  it('gives a pod no more than compose gives a container, and as long to stop', () => {
    const { mem_limit: limit, stop_grace_period: grace } = services.people;
    expect(bytes(container.resources.limits.memory)).toBe(bytes(limit!));
    const { DRAIN_SECONDS: drain } = readProcess('gateway').environment;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(seconds(grace!) + Number(drain));
  });

  it('lets the processes reach what the networks of compose let them reach, and nothing else', () => {
    const ofNetworks = { bus: ['nats:4222'], data: ['mongo:27017'], out: ['the internet:443'], front: [] };
    const wanted = processes.map(([name, { networks }]) => [
      name,
      networks!.flatMap((each) => ofNetworks[each as keyof typeof ofNetworks]).sort(),
    ]);
    const reached = pods.map(({ name, place }) => [name, reachedFrom(place, [...pods, ...others]).sort()]);
    expect(Object.fromEntries(reached)).toEqual({
      nats: ['nats:4222', 'nats:6222'],
      mongo: ['mongo:27017'],
      ...Object.fromEntries(wanted),
    });
  });

  it('lets others reach the API, and Prometheus the figures of the processes too', () => {
    for (const { place } of others) expect(reachedFrom(place, pods)).toEqual(['gateway:8080']);
    const prometheus = { labels: { [`${LABEL}/name`]: 'prometheus' }, namespace: namespaceOf('monitoring') };
    const figures = processes.map(([name]) => `${name}:9090`);
    expect(reachedFrom(prometheus, pods).sort()).toEqual([...figures, 'gateway:8080'].sort());
  });
});
