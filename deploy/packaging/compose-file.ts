import fs from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '@swim/contracts';
import { parse } from 'yaml';
import { ROOT } from '../system/paths.mjs';

/** The compose file of this clone, absolute. */
export const COMPOSE_FILE = path.join(ROOT, 'docker-compose.yml');

const VARIABLE = /\$\$|\$\{(\w+)(?:(:-|:\?)([^}]*))?\}/g;

export interface ComposeService {
  image?: string;
  pull_policy?: string;
  build?: object;
  command?: string[];
  container_name?: string;
  cap_add?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  healthcheck?: { test: string[]; interval: string; timeout: string; retries: number };
  mem_limit?: string;
  network_mode?: string;
  networks?: string[];
  ports?: string[];
  scale?: number;
  stop_grace_period?: string;
  user?: string;
  volumes?: (string | SecretsMount)[];
}

/** The folder of a process's secrets. */
export interface SecretsMount {
  type: 'bind';
  source: string;
  target: string;
  read_only: boolean;
  bind: { create_host_path: boolean };
}

export interface ComposeFile {
  name: string;
  services: Record<
    ServiceName | 'audit' | 'bus-setup' | 'gateway' | 'mongo' | 'nats' | 'nats-volume' | 'proxy',
    ComposeService
  >;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>;
  volumes: Record<string, object | null>;
}

/**
 * Reads the compose file as docker compose does: it resolves anchors and merge keys, and substitutes variables.
 * @param env - replaces the environment and `.env`.
 * @throws an error that names a required variable that is not set.
 */
export function readCompose(env: Record<string, string>): ComposeFile {
  return fill(parse(fs.readFileSync(COMPOSE_FILE, 'utf8'), { merge: true }), env) as ComposeFile;
}

/** The folder of secrets that a service mounts. */
export const secretsMountOf = ({ volumes = [] }: Pick<ComposeService, 'volumes'>): SecretsMount | undefined =>
  volumes.find((each) => typeof each !== 'string');

function fill(value: unknown, env: Record<string, string>): unknown {
  if (typeof value === 'string') return value.replaceAll(VARIABLE, (...match: string[]) => replacement(match, env));
  if (Array.isArray(value)) return value.map((each) => fill(each, env));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, env)]));
}

function replacement([whole, name = '', operator, rest = '']: string[], env: Record<string, string>) {
  if (whole === '$$') return '$';
  if (env[name]) return env[name];
  if (operator === ':?') throw new Error(`required variable ${name} is missing a value: ${rest}`);
  return operator === ':-' ? rest : '';
}
