import { keepCompiled } from './compiled.ts';
import { boundGarbage } from './garbage.ts';

keepCompiled();
boundGarbage();
await import('./command.ts');
