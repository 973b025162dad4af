import { describe, expect, it } from 'vitest';
import { textOf } from './sources.ts';

interface Locked {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

/** Folders in whose `node_modules` a package at `place` is resolved. */
function above(place: string): string[] {
  const own = [...place.matchAll(/(?=\/node_modules\/|$)/g)].map(({ index }) => `${place.slice(0, index)}/`);
  return ['', ...own];
}

describe('the packages', () => {
  it('can come from any registry: the lock file contains no URLs', () => {
    expect(textOf('package-lock.json')).not.toContain('"resolved"');
  });

  it('can be installed on any machine: the lock file has every dependency of every package', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> };
    const places = Object.keys(packages);
    const missing = Object.entries(packages).flatMap(([place, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !above(place).some((folder) => places.includes(`${folder}node_modules/${name}`)))
        .map((name) => `${place}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('are pinned to exact versions', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const versions = Object.entries({ ...dependencies, ...devDependencies });
    expect(versions.filter(([, version]) => !/^(npm:[a-z]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});
