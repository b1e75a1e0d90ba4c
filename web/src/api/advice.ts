/** What the user can do about an error of the service. Undefined if the status is no error. */
export function adviceFor(status: number, retryAfter: string | undefined): string | undefined {
  const wait = retryAfter === undefined ? 'unos segundos' : `${retryAfter} s`;
  switch (status) {
    case 400:
      return 'Corregir el parámetro que nombra el mensaje y enviar otra vez.';
    case 401:
      return 'Ingresar una clave válida. Si venció o fue revocada, pedir otra al operador del servicio.';
    case 403:
      return 'Abrir esta página por HTTPS, o consultar al operador del servicio.';
    case 408:
      return 'El pedido tardó demasiado en llegar. Revisar la conexión y enviar otra vez.';
    case 414:
    case 431:
      return 'Pedir menos especies por vez, o un panel.';
    case 429:
      return `Esperar ${wait} y enviar otra vez. Pedir muchas especies o un panel en un solo pedido gasta menos del límite.`;
    case 503:
      return `El servicio está ocupado o se está reiniciando. Esperar ${wait} y enviar otra vez.`;
    default:
      if (status >= 500) {
        return 'Enviar otra vez. Si se repite, avisar al operador del servicio con la hora y la URL.';
      }
      return status >= 400 ? 'Revisar la URL y consultar la referencia.' : undefined;
  }
}
