import fs from 'node:fs';
import path from 'node:path';

const BLOCK = /^( *)```ts\n([\s\S]*?)^ *```$/gm;
const PLACE =
  /^\/\/ (\S+), (a new file|at the end of the class|at the end|(?:after|before|instead of) the line of '(.+)')\n/;

export interface ExampleBlock {
  /** The file that the first line of the block names; `{en,de}.ts` names several. */
  file: string;
  /** The place in that file, as PLACE lists them. */
  place: string;
  /** The text of the line that the block precedes, follows or replaces. */
  anchor: string | undefined;
  imports: string[];
  /** The remaining lines of the block. */
  code: string;
}

/** Reads the TypeScript blocks of a document. Throws on one whose first line does not name its place. */
export function readBlocks(markdown: string): ExampleBlock[] {
  return [...markdown.matchAll(BLOCK)].flatMap(([, indent = '', indented = '']) => {
    const text = indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const named = PLACE.exec(text);
    if (!named) throw new Error(`This block does not name its file and place:\n${text}`);
    const [line, file = '', place = '', anchor] = named;
    const lines = text.slice(line.length).split('\n');
    const imports = place === 'a new file' ? [] : lines.filter((each) => each.startsWith('import '));
    const code = lines.filter((each) => !imports.includes(each)).join('\n');
    const [all = '', names = ''] = /\{(.+)\}/.exec(file) ?? [];
    return names.split(',').map((name) => ({ file: file.replace(all, name), place, anchor, imports, code }));
  });
}

function codeIn(text: string, { file, place, anchor, code }: ExampleBlock) {
  if (place === 'at the end') return `${text}${code}`;
  const lines = text.trimEnd().split('\n');
  const isLast = place === 'at the end of the class';
  const isAfter = place.startsWith('after');
  const quoted = isAfter ? `'${anchor}'` : String(anchor);
  const at = isLast ? lines.length - 1 : lines.findIndex((line) => line.includes(quoted));
  if (at === -1 || (isLast && lines[at] !== '}')) throw new Error(`${file} has no such place: ${place}`);
  const end = isAfter || place.startsWith('instead') ? at + 1 : at;
  return [...lines.slice(0, isAfter ? end : at), code, ...lines.slice(end), ''].join('\n');
}

/** Applies blocks to the sources below a folder. */
export function applyBlocks(blocks: ExampleBlock[], root: string) {
  for (const block of blocks) {
    const file = path.join(root, block.file);
    if ((block.place === 'a new file') === fs.existsSync(file))
      throw new Error(`${block.file} is ${block.place === 'a new file' ? 'there already' : 'not there'}.`);
    const text = block.place === 'a new file' ? block.code : codeIn(fs.readFileSync(file, 'utf8'), block);
    fs.writeFileSync(file, [...block.imports, text].join('\n'));
  }
}
