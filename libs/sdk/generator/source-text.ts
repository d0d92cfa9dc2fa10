import type { Document, Method, Schema } from './operations.ts';
import { INSTANT } from './sent-types.ts';

const NOTICE = '// Generated from gateway/openapi.json by `npm run generate`. Do not edit.\n';

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const camelOf = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function docOf({ summary, description }: Method): string {
  const text = [summary, description].filter((part) => part !== '').join('. ');
  return `  /** ${text.replace(/\s+/g, ' ').replace(/\.\. /g, '. ').replaceAll('*/', '* /')} */`;
}

const required = (name: string, type: string, isRequired: boolean): string =>
  `${name}${isRequired ? '' : '?'}: ${type}`;

function parametersOf(method: Method): string {
  const { operationId, pathParams, hasQuery, needsQuery, body, needsBody, verb } = method;
  const isRead = verb === 'GET';
  const write = verb === 'DELETE' ? 'DeleteOptions' : 'WriteOptions';
  return [
    ...pathParams.map((name) => `${camelOf(name)}: string`),
    ...(isRead && hasQuery ? [required('query', `Query<'${operationId}'>`, needsQuery)] : []),
    ...(body ? [required('body', `models.${body}`, needsBody)] : []),
    `options?: ${isRead ? 'RequestOptions' : write}`,
  ].join(', ');
}

function answerOf({ answer, mayBeEmpty, isList }: Method): string {
  const data = answer === null ? 'void' : `models.${answer}${mayBeEmpty ? ' | undefined' : ''}`;
  return isList ? `List<${data}>` : `Answer<${data}>`;
}

function callOf({ verb, path, hasQuery, body, isList }: Method): string {
  const filled = `path\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${${camelOf(name)}}`)}\``;
  if (isList) return `this.api.list(${filled}, ${hasQuery ? 'query' : '{}'}, options)`;
  if (verb === 'GET') return `this.api.read(${filled}, ${hasQuery ? 'query' : '{}'}, options)`;
  return `this.api.write('${verb}', ${filled}, ${body ? 'body' : 'undefined'}, options)`;
}

const methodText = (method: Method): string =>
  `${docOf(method)}\n  ${method.name}(${parametersOf(method)}): ${answerOf(method)} {\n    return ${callOf(method)};\n  }`;

function classText(resource: string, methods: readonly Method[]): string {
  const body = methods.map(methodText).join('\n\n');
  return `/** \`client.${resource}\` */\nexport class ${capitalised(resource)} extends Resource {\n${body}\n}\n`;
}

/** Source of the classes of resources, and of the class that has one of each. */
export function resourcesText(methods: readonly Method[]): string {
  const resources = [...new Set(methods.map(({ resource }) => resource))];
  const classes = resources.map((resource) =>
    classText(
      resource,
      methods.filter((method) => method.resource === resource),
    ),
  );
  const members = resources.map((resource) => `  readonly ${resource}: ${capitalised(resource)};`);
  const made = resources.map((resource) => `    this.${resource} = new ${capitalised(resource)}(api);`);
  return `${NOTICE}
import { type Answer, type Api, type DeleteOptions, type RequestOptions, Resource, type WriteOptions } from '../api.js';
import type { List } from '../list.js';
import { path } from '../path.js';
import type * as models from './models.js';
import type { Query } from './models.js';

${classes.join('\n')}
/** A client with every resource of the API. */
export class Resources {
${members.join('\n')}

  constructor(api: Api) {
${made.join('\n')}
  }
}
`;
}

const NOT_A_MODEL = /Envelope$|Error$|^id_/;

/** The type of an object that has exactly one of some members: a union with an alternative for each of them. */
function typeOf(name: string, { then }: Schema): string {
  const type = `components['schemas']['${name}']`;
  const names = then?.oneOf.map(({ required: [member] }) => `'${member}'`);
  return names ? `OneOf<${type}, ${names.join(' | ')}>` : type;
}

/** Source of the types of the API's objects by their names. */
export function modelsText({ components }: Document): string {
  const names = Object.keys(components.schemas).filter((name) => !NOT_A_MODEL.test(name));
  const types = names.map((name) => `export type ${name} = ${typeOf(name, components.schemas[name]!)};`);
  return `${NOTICE}
import type { components, operations } from './schema.js';

/** A list of a query: a value, several, or a text in which they are separated by commas. */
type Listed<V> = V extends readonly (infer I extends string)[] ? I | readonly I[] | \`\${I},\${string}\` : V;
type Loose<T> = { [K in keyof T]: object extends Pick<T, K> ? Listed<T[K]> | undefined : Listed<T[K]> };
type OneOf<T, K extends keyof T> = {
  [P in K]-?: Omit<T, K> & Required<Pick<T, P>> & { [Q in Exclude<K, P>]?: undefined };
}[K];

/** Query parameters of an operation; those that are undefined are left out. */
export type Query<O extends keyof operations> = Loose<NonNullable<operations[O]['parameters']['query']>>;
/** One rejected field of a request. */
export type FieldError = components['schemas']['FieldError'];
${types.join('\n')}
`;
}

/** Source of the types of all schemas and operations, as openapi-typescript writes them; it knows no type of an instant. */
export const schemaText = (types: string): string =>
  `${NOTICE}\n${types.replace(new RegExp(`(\\b${INSTANT}: )string;`), '$1string | Date;')}`;
