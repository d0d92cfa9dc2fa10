import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '../local/paths.mjs';

/**
 * Reads deploy/Dockerfile.
 * @returns {{name: string|null, base: string, instructions: {word: string, text: string}[]}[]} its stages in order; `text` is
 *   what follows an instruction's word, continued lines joined.
 */
export function readDockerfile() {
  const lines = fs.readFileSync(path.join(ROOT, 'deploy/Dockerfile'), 'utf8').split('\n');
  const joined = lines
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '');
  const instructions = joined
    .split('\n')
    .filter(Boolean)
    .map((line) => /^(?<word>[A-Z]+)\s+(?<text>.*)$/.exec(line).groups);
  const stages = [];
  for (const { word, text } of instructions) {
    if (word !== 'FROM') stages.at(-1).instructions.push({ word, text });
    else {
      const [base, name = null] = text.split(/\s+AS\s+/);
      stages.push({ base, name, instructions: [] });
    }
  }
  return stages;
}

/**
 * Reads .dockerignore.
 * @returns {(file: string) => boolean} whether a file, by its path from the root, is sent to the builder: the last line that
 *   matches it, or a folder above it, decides.
 */
export function readDockerignore() {
  const lines = fs.readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n');
  const rules = lines
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: matcher(line.replace(/^!/, '')) }));
  return (file) => rules.findLast(({ pattern }) => pattern.test(file))?.keeps ?? true;
}

function matcher(pattern) {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('**/', '<any>')
    .replaceAll('*', '[^/]*')
    .replaceAll('<any>', '(?:.*/)?');
  return new RegExp(`^${source}(?:/.*)?$`);
}
