// SPDX-License-Identifier: Apache-2.0
// Writes schema/answers.d.ts, the TypeScript types of what the engine answers, from schema/answers.schema.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../schema');
const TYPES = { integer: 'number', number: 'number', string: 'string', boolean: 'boolean', null: 'null' };

const text = (value) => (typeof value === 'string' ? `'${value}'` : String(value));
const list = (type) => (/[|{]/.test(type) ? `(${type})[]` : `${type}[]`);

function typeOf(schema, indent) {
  if (schema.$ref) return schema.$ref.replace('#/$defs/', '');
  if ('const' in schema) return text(schema.const);
  if (schema.enum) return schema.enum.map(text).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => TYPES[type]).join(' | ');
  if (schema.type === 'array') return list(typeOf(schema.items, indent));
  if (schema.properties) return membersOf(schema, indent);
  if (schema.type === 'object')
    return schema.additionalProperties ? `Record<string, ${typeOf(schema.additionalProperties, indent)}>` : 'Doc';
  return TYPES[schema.type] ?? 'Json';
}

const comment = ({ description }, indent) => (description ? `${indent}/** ${description} */\n` : '');

function membersOf({ properties, required = [] }, indent) {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, one]) =>
    `${comment(one, inner)}${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(one, inner)};\n`);
  return `{\n${lines.join('')}${indent}}`;
}

// A long union goes on in the next line.
function filled(line) {
  if (line.length <= 120) return line;
  const at = line.lastIndexOf(' | ', 118);
  return `${line.slice(0, at)}\n${filled(`  ${line.slice(at + 1)}`)}`;
}

/** The types that belong to the schema. */
export function answerTypes() {
  const { $defs } = JSON.parse(readFileSync(join(folder, 'answers.schema.json'), 'utf8'));
  const types = Object.entries($defs).map(([name, one]) => comment(one, '') + (one.properties
    ? `export interface ${name} ${membersOf(one, '')}` : filled(`export type ${name} = ${typeOf(one, '')};`)));
  return `// SPDX-License-Identifier: Apache-2.0
// Written by tools/answer_types.mjs from answers.schema.json: change the schema, not this file.
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A document, schema/experiment.schema.json. */
export interface Doc extends JsonObject {
  schema: string;
  inputs: { [name: string]: JsonObject };
  /** One of these two: a module alone, or several that are wired by name (\`model\`). */
  mechanism: JsonObject;
}

${types.join('\n\n')}
`;
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(join(folder, 'answers.d.ts'), answerTypes());
