import type { Carrier } from '../cases/cases.ts';
import type { Contender } from './measure.ts';
import { ownName, type RunningSide, type Setup } from '../cases/side.ts';
import { bareHttp2, startBareHttp2 } from '../sides/bare-http2.ts';
import { nginxSide } from '../sides/nginx.ts';
import { dataDirectoryIn, startPizarra } from '../sides/pizarra.ts';
import { behindNginx } from '../sides/proxied.ts';

/** The running sides of a carrier's cases. Disposing them stops them. */
export interface Contenders extends AsyncDisposable {
  readonly all: readonly Contender[];
}

/**
 * Starts Pizarra and nginx with the same responses, for a carrier other than `http`. Over HTTP/2 there is also a
 * bare server on the same Node.
 */
export async function startContenders(
  carrier: Exclude<Carrier, 'http'>,
  setup: Setup,
): Promise<Contenders> {
  await using cleanUp = new AsyncDisposableStack();
  const { dataset, scratch, certificate } = setup;
  const directory = dataDirectoryIn(scratch, carrier);
  const start = async (): Promise<readonly [own: RunningSide, nginx: RunningSide]> => {
    if (carrier === 'proxy') {
      const own = await startPizarra(dataset, directory, { isBehindProxy: true });
      const nginx = await nginxSide.start(setup);
      return [
        cleanUp.use(await behindNginx(own, scratch)),
        cleanUp.use(await behindNginx(nginx, scratch)),
      ];
    }
    if (certificate === undefined) throw new Error('openssl is not installed. The bench needs it.');
    const nginx = cleanUp.use(await nginxSide.start(setup));
    return [
      cleanUp.use(await startPizarra(dataset, directory, { certificate })),
      { ...nginx, origin: nginx.secureOrigin ?? nginx.origin },
    ];
  };
  const [own, nginx] = await start();
  const all: Contender[] = [
    { name: ownName, title: 'Pizarra', side: own },
    { name: nginxSide.name, title: nginxSide.title, side: nginx },
  ];
  if (carrier === 'h2') {
    all.push({ ...bareHttp2, side: cleanUp.use(await startBareHttp2(own, setup)) });
  }
  const running = cleanUp.move();
  return {
    all,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
