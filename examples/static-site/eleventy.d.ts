/** What `build.ts` uses of Eleventy, which has no types of its own. */
declare module '@11ty/eleventy' {
  interface Config {
    addGlobalData(name: string, value: unknown): void;
  }

  // biome-ignore lint/style/noDefaultExport: that is what it exports
  export default class Eleventy {
    constructor(input: string, output: string, options: { readonly config: (config: Config) => void });
    disableLogger(): void;
    /** Copied files, then written pages. */
    write(): Promise<readonly [unknown, readonly { readonly outputPath: string }[]]>;
  }
}
