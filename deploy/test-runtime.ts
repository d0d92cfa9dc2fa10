import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import JestRuntime from 'jest-runtime';

// The types describe the CommonJS form; the module itself exports the class.
const Base = JestRuntime as unknown as typeof JestRuntime.default;
type Options = ConstructorParameters<typeof Base>;

/** This runtime replaces these parts of jest, whose types hide them. The version of jest is exact. */
interface Internals {
  registries: { esModuleRegistry: Map<string, vm.Module | Promise<vm.Module>> };
  esmLoader: { getContext(): vm.Context | undefined };
  executor: { injectedModuleParameters: string[]; compile(source: string, filename: string): unknown };
}

// The built contracts are shared too: nothing changes declarations once they are loaded.
const SHARED = /^file:.*\/(?:node_modules\/.*(?<!\.json)|libs\/contracts\/dist\/.*\.js)$/;

const require = createRequire(import.meta.url);
const packages = new Map<string, vm.Module | undefined>();

/** Global variables that packages have set stay when a test file ends, as the packages do. */
export const packageGlobals = new Set<PropertyKey>();

function loadPackage(path: string): unknown {
  const before = new Set(Reflect.ownKeys(globalThis));
  try {
    return require(path);
  } finally {
    for (const key of Reflect.ownKeys(globalThis)) if (!before.has(key)) packageGlobals.add(key);
  }
}

const isNamespace = (exports: unknown): boolean => Object.prototype.toString.call(exports) === '[object Module]';

/** A module of a package as jest links it, with the values that Node's own loader has; undefined where it loads only later. */
function linkable(url: string): vm.Module | undefined {
  let exports: object;
  try {
    exports = loadPackage(fileURLToPath(url)) as object;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_REQUIRE_ASYNC_MODULE') return undefined;
    throw error;
  }
  const values = new Map(Object.entries(exports));
  if (!isNamespace(exports)) values.set('default', exports);
  const module = new vm.SyntheticModule(
    [...values.keys()],
    () => {
      for (const [name, value] of values) module.setExport(name, value);
    },
    { identifier: url },
  );
  return module;
}

/** Modules by their address: the sources of one file of tests, and packages, which all files of the process share. */
class SharedPackages extends Map<string, vm.Module | Promise<vm.Module>> {
  override get(url: string): vm.Module | Promise<vm.Module> | undefined {
    const own = super.get(url);
    if (own || !SHARED.test(url)) return own;
    if (!packages.has(url)) packages.set(url, linkable(url));
    return packages.get(url);
  }

  override has(url: string): boolean {
    return this.get(url) !== undefined;
  }
}

/**
 * jest's runtime, but packages are loaded once in a process, by Node itself, and everything runs in its one realm: loading Nest,
 * mongoose and the others anew took half the time of most files of tests. So are the built contracts. The project's other modules
 * are loaded anew for each file.
 */
class Runtime extends Base {
  constructor(...options: Options) {
    const { getBuiltinModule } = process;
    super(...options);
    // The base class has replaced this function with one for a copy of `process`.
    process.getBuiltinModule = getBuiltinModule;
    const { registries, esmLoader, executor } = this as unknown as Internals;
    registries.esModuleRegistry = new SharedPackages();
    // Without a context, code runs in the realm of the packages, in which a Date of theirs is an instance of Date.
    esmLoader.getContext = () => undefined;
    executor.compile = (source, filename) =>
      vm.compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
  }
}

// jest requires this file, and takes the class for its exports.
export { Runtime as 'module.exports' };
