import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type ComposeService, readCompose, secretsMountOf } from '../packaging/compose-file.ts';
import { makeSecrets } from '../packaging/secrets.ts';
import { ROOT } from '../system/paths.mjs';
import { kustomizationOf, objectsOf, readProcess, secretsOf } from './kubernetes-files.ts';

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

  it('lets pass what the networks of compose let pass', () => {
    const policies = objectsOf('base/networks.yaml').map(({ spec }) => Object.keys(spec.podSelector.matchLabels ?? {}));
    const networks = [...new Set(processes.flatMap(([, { networks: its }]) => its!))];
    expect(policies.flat().sort()).toEqual(networks.map((network) => `network-${network}`).sort());
  });
});
