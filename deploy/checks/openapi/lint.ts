import fs from 'node:fs';
import path from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { ROOT } from '../../system/paths.mjs';
import { unportableIn } from './portable.ts';

const FILE = path.join(ROOT, 'gateway/openapi.json');

/** A violation of a rule, and the place in the document as a JSON pointer (RFC 6901). */
interface Violation {
  rule: string;
  message: string;
  pointer: string;
}

async function redoclyViolations(): Promise<Violation[]> {
  // An example has no member that the document does not declare.
  const examples = { severity: 'error', allowAdditionalProperties: false } as const;
  const rules = { 'no-invalid-media-type-examples': examples, 'no-invalid-parameter-examples': examples };
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const problems = await lint({ ref: FILE, config });
  const violations = problems.map(({ ruleId, message, location }) => ({
    rule: `redocly ${ruleId}`,
    message,
    pointer: location[0]?.pointer ?? '#/',
  }));
  // A `then` requires members of the schema that it belongs to, where this rule does not look.
  return violations.filter(
    ({ rule, pointer }) => !(rule.endsWith('-properties-undefined') && pointer.includes('/then/')),
  );
}

const readDocument = () => JSON.parse(fs.readFileSync(FILE, 'utf8')) as Record<string, unknown>;

const unportable = (): Violation[] => unportableIn(readDocument()).map((each) => ({ rule: 'portable', ...each }));

async function spectralViolations(): Promise<Violation[]> {
  const linter = new spectral.Spectral();
  // Redocly checks these examples too, in a tenth of the time.
  const rules = { 'oas3-valid-media-example': 'off' } as const;
  linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']], rules });
  const results = await linter.run(readDocument());
  return results.map(({ code, message, path: keys }) => ({
    rule: `spectral ${code}`,
    message,
    pointer: `#/${keys.join('/')}`,
  }));
}

const violations = [...(await redoclyViolations()), ...(await spectralViolations()), ...unportable()];
for (const { rule, message, pointer } of violations) console.error(`${pointer}: ${message} (${rule})`);
if (violations.length > 0) process.exitCode = 1;
