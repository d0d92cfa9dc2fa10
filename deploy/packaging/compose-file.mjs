import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../system/paths.mjs';

/** The compose file of this clone, absolute. */
export const COMPOSE_FILE = path.join(ROOT, 'docker-compose.yml');

const VARIABLE = /\$\$|\$\{(\w+)(?:(:-|:\?)([^}]*))?\}/g;

/**
 * Reads the compose file as docker compose does: anchors and merge keys resolved, variables put in.
 * @param {Record<string, string>} env in place of the environment and `.env`.
 * @returns {object}
 * @throws {Error} naming a variable that has to be set and is not.
 */
export function readCompose(env) {
  return fill(parse(fs.readFileSync(COMPOSE_FILE, 'utf8'), { merge: true }), env);
}

function fill(value, env) {
  if (typeof value === 'string') return value.replaceAll(VARIABLE, (...match) => replacement(match, env));
  if (Array.isArray(value)) return value.map((each) => fill(each, env));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, env)]));
}

function replacement([whole, name, operator, rest], env) {
  if (whole === '$$') return '$';
  if (env[name]) return env[name];
  if (operator === ':?') throw new Error(`required variable ${name} is missing a value: ${rest}`);
  return operator === ':-' ? rest : '';
}
