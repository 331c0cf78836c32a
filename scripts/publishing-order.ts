interface Manifest {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/**
 * Sorts the packages so that each comes after those that it depends on. In this order, every package can be installed as soon as it is
 * published.
 */
export function publishingOrder<P extends Manifest>(packages: readonly P[]): P[] {
  const ordered = new Set<P>();
  const visit = (pkg: P, dependents: readonly P[]): void => {
    if (dependents.includes(pkg)) throw new Error(`${pkg.name} depends on itself through other packages.`);
    const needed = Object.keys({ ...pkg.dependencies, ...pkg.peerDependencies });
    for (const each of packages) if (needed.includes(each.name)) visit(each, [...dependents, pkg]);
    ordered.add(pkg);
  };
  for (const pkg of packages) visit(pkg, []);
  return [...ordered];
}
