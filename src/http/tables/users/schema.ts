import { descriptorOf } from '../../engine/descriptors.ts';
import { properties } from './properties.ts';

/** The record schema that OPTIONS answers (interface behaviour, section 24). */
export function userSchema(): unknown {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: 'user',
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, descriptorOf(schema)])),
  };
}
