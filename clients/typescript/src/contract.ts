// Generated from the contract by `npm run docs`. Do not edit.

/**
 * Grupo predefinido de instrumentos:
 *
 * | código | grupo |
 * |---|---|
 * | LID | acciones del panel líder |
 * | GEN | acciones del panel general |
 * | LIDGEN | acciones de los paneles líder y general |
 * | BONOS | bonos argentinos: soberanos, provinciales y obligaciones negociables |
 * | BON | alias de BONOS, por compatibilidad con versiones anteriores |
 * | ETF | ETFs internacionales |
 * | ADR | certificados de depósito internacionales |
 * | ADRARG | certificados de depósito de empresas argentinas que cotizan en Estados Unidos |
 * | VARIAS | acciones internacionales varias |
 * | CED | todos los CEDEARs |
 * | IND | índices, tipos de cambio, materias primas y tasas |
 */
export type Panel = 'LID' | 'GEN' | 'LIDGEN' | 'BONOS' | 'BON' | 'ETF' | 'ADR' | 'ADRARG' | 'VARIAS' | 'CED' | 'IND';

/** Campo que una cotización tiene solo si se pidió en `campos`. */
export type CampoDeCotizacion = 'compra' | 'venta' | 'cantCompra' | 'cantVenta' | 'monto' | 'operaciones' | 'fuente' | 'instante';

/** Valor por el que se ordenan las cotizaciones de un panel. */
export type CriterioDeRanking = 'variacion' | 'varMTD' | 'varYTD' | 'volumen' | 'monto';

/** De mayor a menor, o de menor a mayor. */
export type OrdenDeRanking = 'desc' | 'asc';

/** Tiempo máximo sin datos de una transmisión, en segundos. */
export type Latido = '2s' | '5s' | '10s';

/** Motivo por el que el servicio termina una transmisión. */
export interface CierreDeTransmision {
  readonly motivo: 'clave' | 'lentitud' | 'seleccion' | 'detencion';
  readonly detalle: string;
}

/** Última cotización de un instrumento. */
export interface Cotizacion {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Fecha de la rueda, en la zona horaria del mercado. */
  readonly fecha: string;
  /**
   * Hora de la última actualización, en hora de Buenos Aires. Ausente si la fuente no la informó. Un
   * cambio que afecta solo a los campos de `campos` no la modifica.
   */
  readonly hora?: string;
  /** Último precio disponible. */
  readonly ultimo: number;
  /**
   * Variación respecto del cierre anterior: en puntos para tasas, brechas y riesgo país; en porcentaje
   * para los demás instrumentos (12 es 12 %). Siempre presente. Es `null` si no se puede calcular o si
   * el cierre anterior es más de 45 días anterior a la rueda.
   */
  readonly variacion: number | null;
  /**
   * Cierre anterior. Ausente si no se conoce. Tras un split, un dividendo en acciones o un cambio de
   * ratio está dividido por su factor, igual que las bases de `varMTD` y `varYTD`.
   */
  readonly anterior?: number;
  /** Precio de apertura de la rueda. Ausente si no se conoce. */
  readonly apertura?: number;
  /** Precio mínimo de la rueda. Ausente si no se conoce. */
  readonly minimo?: number;
  /** Precio máximo de la rueda. Ausente si no se conoce. */
  readonly maximo?: number;
  /**
   * Variación acumulada en el mes, en porcentaje, desde el último cierre anterior al mes. Siempre
   * presente. Es `null` si no se puede calcular, si ese cierre es más de 45 días anterior al fin del mes
   * anterior, y siempre para brechas.
   */
  readonly varMTD: number | null;
  /**
   * Variación acumulada en el año, en porcentaje, desde el último cierre anterior al año. Siempre
   * presente. Es `null` si no se puede calcular, si ese cierre no es del año anterior ni, como máximo,
   * 45 días anterior a su fin, y siempre para brechas.
   */
  readonly varYTD: number | null;
  /**
   * Volumen nominal operado. Admite decimales. Siempre presente. Es 0 si no hubo operaciones y `null`
   * para índices, tasas, tipos de cambio y brechas, o si solo se conoce el cierre.
   */
  readonly volumen: number | null;
  /**
   * Mejor precio de los compradores. Solo si se pidió en `campos`, como los campos que siguen. Ausente
   * si no se conoce o si no hay órdenes de compra.
   */
  readonly compra?: number;
  /**
   * Mejor precio de los vendedores. Ausente si no se conoce o si no hay órdenes de venta. Puede ser
   * menor que `compra`, por ejemplo en una subasta.
   */
  readonly venta?: number;
  /** Cantidad nominal a ese precio de compra. Ausente si no se conoce. */
  readonly cantCompra?: number;
  /** Cantidad nominal a ese precio de venta. Ausente si no se conoce. */
  readonly cantVenta?: number;
  /** Monto operado en la rueda, en la moneda del instrumento. Ausente si no se conoce. */
  readonly monto?: number;
  /** Cantidad de operaciones de la rueda. Ausente si no se conoce. */
  readonly operaciones?: number;
  /** Nombre de la fuente del precio. Ausente si no se conoce. */
  readonly fuente?: string;
  /**
   * Instante de `hora` en segundos, con el desplazamiento horario del mercado: sus diez primeros
   * caracteres son los de `fecha`. Ausente si `hora` lo está.
   */
  readonly instante?: string;
}

/** Campo que un precio histórico tiene solo si se pidió en `campos`. */
export type CampoDeHistorico = 'apertura' | 'maximo' | 'minimo' | 'instante';

/** Campo que una barra tiene solo si se pidió en `campos`. */
export type CampoDeBarra = 'instante';

/** Valor que muestran las celdas de una tabla ancha. */
export type CampoDeCelda = 'ultimo' | 'apertura' | 'maximo' | 'minimo' | 'volumen';

/**
 * Forma de la tabla de varias series: una fila por especie y fecha, o una fila por fecha con una
 * columna por especie.
 */
export type Forma = 'larga' | 'ancha';

/**
 * Ajuste de una serie histórica: ninguno, por *splits*, o total (*splits*, dividendos en efectivo y
 * pagos de bonos).
 */
export type Ajuste = 'ninguno' | 'splits' | 'total';

/**
 * `CER`: Coeficiente de Estabilización de Referencia. `UVA`: Unidad de Valor Adquisitivo, en pesos.
 * `A3500`: tipo de cambio de referencia de la Comunicación A 3500, en pesos por dólar. `TAMAR` y
 * `BADLAR`: tasas de depósitos mayoristas en pesos de bancos privados, en % nominal anual. `ICL`:
 * Índice para Contratos de Locación. `IPC`: inflación de cada mes según el Índice de Precios al
 * Consumidor, en %.
 */
export type CodigoDeIndice = 'CER' | 'UVA' | 'A3500' | 'TAMAR' | 'BADLAR' | 'ICL' | 'IPC';

/** Qué cambió el valor. */
export type OrigenDeCambio = 'importacion' | 'descarga' | 'rueda' | 'confirmacion' | 'reversion' | 'eliminacion' | 'universo' | 'demostracion' | 'desconocido';

/**
 * Período de una fila de `/historicos`: `1d` es una rueda, `1sem` una semana de lunes a domingo y
 * `1mes` un mes calendario.
 */
export type IntervaloDeHistorico = '1d' | '1sem' | '1mes';

/** Moneda a la que se convierten los precios. */
export type MonedaDePrecios = 'ARS' | 'USD';

/**
 * Dólar con el que se convierten los precios: el de `DOLAR MEP`, `DOLAR CCL`, `DOLAR OFICIAL`, `DOLAR
 * MAYORISTA` o `DOLAR BLUE`.
 */
export type DolarDeConversion = 'mep' | 'ccl' | 'oficial' | 'mayorista' | 'blue';

/**
 * Duración de una barra, en minutos. Las barras se alinean con la hora del mercado: las de 60 minutos
 * comienzan a la hora en punto.
 */
export type Intervalo = '1m' | '5m' | '15m' | '60m';

/** Recorrido del precio de un instrumento en una rueda, en pasos iguales desde la apertura. */
export interface Recorrido {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Fecha de la rueda, en la zona horaria del mercado. Es la de la cotización. */
  readonly fecha: string;
  /** Apertura de la rueda, hora de Buenos Aires. El primer paso comienza en ella. */
  readonly desde: string;
  /**
   * Duración de un paso, en minutos: 1, 5, 15 o 60. Es la más corta con la que la rueda tiene 100 pasos
   * o menos.
   */
  readonly pasoMinutos: number;
  /**
   * Último precio de cada paso, en orden; `null` si no hubo ninguno. El último valor es el del último
   * paso con un precio. Un precio posterior al cierre está en el último paso de la rueda.
   */
  readonly valores: readonly (number | null)[];
}

/** Precio de cierre de una rueda. */
export interface PrecioHistorico {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Fecha de la rueda. */
  readonly fecha: string;
  /** Precio de cierre operado ese día o, si se pidió, ajustado. */
  readonly ultimo: number;
  /** Precio de apertura de la rueda. Solo si se pidió en `campos` y se conoce. */
  readonly apertura?: number;
  /** Precio máximo de la rueda. Solo si se pidió en `campos` y se conoce. */
  readonly maximo?: number;
  /** Precio mínimo de la rueda. Solo si se pidió en `campos` y se conoce. */
  readonly minimo?: number;
  /**
   * Cierre nominal de la rueda, con el desplazamiento horario del mercado. Tiene en cuenta los cierres
   * anticipados. En un mercado que cierra a las 24:00 es un segundo antes. Solo si se pidió en `campos`.
   */
  readonly instante?: string;
  /** Volumen operado. Es `null` para índices, tasas, tipos de cambio y brechas, o si no se conoce. */
  readonly volumen: number | null;
}

/**
 * Fila de una tabla ancha: la fecha y un valor por especie, en el orden del pedido. El nombre de cada
 * valor es la especie. Es `null` si la especie no tiene ese valor en esa fecha.
 */
export interface FilaAncha {
  /** Fecha de la rueda. */
  readonly fecha: string;
  readonly [name: string]: string | number | null;
}

/** Evento corporativo. `tipo` indica los demás campos. */
export type Evento = CambioDeUnidades | CambioDeValor | DividendoEnEfectivo | CambioDeTicker;

/**
 * Evento que cambia la cantidad de unidades. `split`: división o agrupación. `dividendo-acciones`:
 * dividendo en acciones. `ratio`: cambio de ratio de un CEDEAR.
 */
export interface CambioDeUnidades {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Fecha ex, la primera rueda con los precios posteriores al evento. */
  readonly fecha: string;
  /** Tipo de evento. */
  readonly tipo: 'split' | 'dividendo-acciones' | 'ratio';
  /**
   * Los precios anteriores a la fecha ex se dividen por él. En un *split*, un dividendo en acciones o un
   * cambio de ratio es la cantidad de unidades nuevas por cada unidad anterior: 10 en un *split* de 10
   * por 1, 1,09 en un dividendo en acciones de 9 %.
   */
  readonly factor: number;
}

/**
 * Evento que cambia el valor de una unidad y no su cantidad. `suscripcion`: derechos de suscripción.
 * `escision`: escisión de otra empresa. El factor es el último precio anterior dividido por el teórico
 * posterior.
 */
export interface CambioDeValor {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Fecha ex, la primera rueda con los precios posteriores al evento. */
  readonly fecha: string;
  /** Tipo de evento. */
  readonly tipo: 'suscripcion' | 'escision';
  /**
   * Los precios anteriores a la fecha ex se dividen por él. En un *split*, un dividendo en acciones o un
   * cambio de ratio es la cantidad de unidades nuevas por cada unidad anterior: 10 en un *split* de 10
   * por 1, 1,09 en un dividendo en acciones de 9 %.
   */
  readonly factor: number;
}

/** Dividendo en efectivo. */
export interface DividendoEnEfectivo {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Fecha ex, la primera rueda con los precios posteriores al evento. */
  readonly fecha: string;
  /** Tipo de evento. */
  readonly tipo: 'dividendo';
  /** Importe por unidad de la fecha ex. */
  readonly importe: number;
  /** Moneda del importe, código ISO 4217. */
  readonly moneda: string;
}

/** Cambio de especie. */
export interface CambioDeTicker {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Fecha ex, la primera rueda con la especie nueva. */
  readonly fecha: string;
  /** Tipo de evento. */
  readonly tipo: 'cambio-ticker';
  /** Especie nueva. */
  readonly detalle: string;
}

/** Cambio de un valor guardado de un instrumento. */
export interface Cambio {
  /** Instante en que se guardó el cambio, en UTC, con milisegundos. */
  readonly instante: string;
  /** Especie de la fila de `/historicos`, de `/eventos` o de `/especies.json` que cambió. */
  readonly especie: string;
  /**
   * Fecha de la rueda o fecha ex del evento. De una condición de emisión, la fecha del cambio en Buenos
   * Aires.
   */
  readonly fecha: string;
  /**
   * Campo que cambió. `fuente` es la de un cierre. Para un evento, su tipo: el valor es el factor, la
   * especie nueva o, de un dividendo, el importe y la moneda (`12.5 ARS`). Para una condición de
   * emisión, su campo en `/especies.json`, con un valor de la misma forma.
   */
  readonly campo: 'ultimo' | 'apertura' | 'maximo' | 'minimo' | 'volumen' | 'fuente' | 'split' | 'dividendo-acciones' | 'dividendo' | 'ratio' | 'suscripcion' | 'escision' | 'cambio-ticker' | 'isin' | 'ley' | 'monedaPagos' | 'opcion' | 'terminos' | 'vencimiento' | 'titulo' | 'emision' | 'frecuencia' | 'primerCupon' | 'fechasCupon' | 'tasa' | 'conteoDias' | 'amortizacion' | 'indice' | 'rezago' | 'baseIndice' | 'margen' | 'factor' | 'tem' | 'dual' | 'ajusteFecha';
  /** Valor anterior, con todos sus decimales. Es `null` si no había un valor. */
  readonly antes: number | string | null;
  /** Valor nuevo, con todos sus decimales. Es `null` si ya no hay un valor. */
  readonly despues: number | string | null;
  /** Fuente del valor nuevo o, si ya no hay un valor, del último. Es `null` si no se conoce. */
  readonly fuente: string | null;
  readonly origen: OrigenDeCambio;
}

/** Cambio de un valor guardado de un índice. */
export interface CambioDeIndice {
  /** Instante en que se guardó el cambio, en UTC, con milisegundos. */
  readonly instante: string;
  readonly indice: CodigoDeIndice;
  /** Día al que corresponde el valor. */
  readonly fecha: string;
  /** Campo que cambió. */
  readonly campo: 'valor' | 'fuente';
  /** Valor anterior, con todos sus decimales. Es `null` si no había un valor. */
  readonly antes: number | string | null;
  /** Valor nuevo, con todos sus decimales. Es `null` si ya no hay un valor. */
  readonly despues: number | string | null;
  /** Fuente del valor nuevo o, si ya no hay un valor, del último. Es `null` si no se conoce. */
  readonly fuente: string | null;
  readonly origen: OrigenDeCambio;
}

/** Índice con su primer y su último día. */
export interface Indice {
  readonly indice: CodigoDeIndice;
  /** Nombre completo. */
  readonly nombre: string;
  /** Primer día con un valor. Es `null` si el índice no tiene valores. */
  readonly desde: string | null;
  /** Último día con un valor, que puede estar por venir. Es `null` si el índice no tiene valores. */
  readonly hasta: string | null;
}

/** Valor de un índice en un día, que puede estar por venir. */
export interface ValorDeIndice {
  readonly indice: CodigoDeIndice;
  /** Día al que corresponde el valor. El del IPC es el último del mes. */
  readonly fecha: string;
  /**
   * Valor del día, mayor que cero. El del IPC es la inflación del mes, en por ciento, que puede ser
   * negativa.
   */
  readonly valor: number;
}

/** Precios de un instrumento durante un intervalo. La barra figura solo si hubo un precio. */
export interface Barra {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Fecha de la rueda, en la zona horaria del mercado. */
  readonly fecha: string;
  /** Comienzo de la barra, hora de Buenos Aires. */
  readonly hora: string;
  /** Primer precio. */
  readonly apertura: number;
  /** Precio más alto. */
  readonly maximo: number;
  /** Precio más bajo. */
  readonly minimo: number;
  /** Último precio. */
  readonly ultimo: number;
  /**
   * Volumen nominal operado desde la barra anterior, con 8 decimales como máximo. `null` si el
   * instrumento no tiene volumen o se desconoce.
   */
  readonly volumen: number | null;
  /** Comienzo de la barra, con el desplazamiento horario del mercado. Solo si se pidió en `campos`. */
  readonly instante?: string;
}

/** Campo que un instrumento tiene solo si se pidió en `campos`. */
export type CampoDeInstrumento = 'precioPor' | 'isin' | 'base' | 'clase' | 'emisor' | 'ley' | 'monedaPagos' | 'opcion' | 'terminos' | 'terminosRevisados' | 'terminosFuentes' | 'vencimiento' | 'titulo' | 'emision' | 'frecuencia' | 'primerCupon' | 'fechasCupon' | 'tasa' | 'conteoDias' | 'amortizacion' | 'indice' | 'rezago' | 'baseIndice' | 'margen' | 'factor' | 'tem' | 'dual' | 'ajusteFecha';

/** Campo que un mercado tiene solo si se pidió en `campos`. `liquidacion` agrega `sinLiquidacion`. */
export type CampoDeMercado = 'dias' | 'horarios' | 'cierresAnticipados' | 'liquidacion';

/** Plazo de liquidación. */
export type Plazo = '24hs' | 'ci';

/**
 * Convención con la que se cuentan la TIR y las demás cifras. Lleva el nombre de quien publica cifras
 * contadas de ese modo.
 */
export type Convencion = 'pizarra' | 'screenermatic' | 'ecovalores' | 'bonarg' | 'bloomberg' | 'tablero' | 'bonistas';

/** Un dólar, por dónde y cómo se compra. */
export type Dolar = 'oficial' | 'mayorista' | 'a3500' | 'tarjeta' | 'blue' | 'mep' | 'ccl' | 'canje' | 'cripto';

/** Datos de un instrumento. */
export interface Instrumento {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Nombre del instrumento. */
  readonly nombre: string;
  readonly tipo: 'accion' | 'cedear' | 'adr' | 'etf' | 'bono' | 'obligacion-negociable' | 'letra' | 'cripto' | 'indice' | 'tipo-de-cambio' | 'tasa' | 'brecha' | 'riesgo-pais';
  /** Código del mercado cuyo calendario sigue. `/mercados` describe los mercados. */
  readonly mercado: string;
  /** Código ISO 4217, si existe. `%` y `bp` para valores que no son dinero. */
  readonly moneda: string;
  /** Cantidad máxima de decimales de sus precios. */
  readonly decimales: number;
  /** Unidad del campo `variacion` de sus cotizaciones. */
  readonly unidadVariacion: 'por-ciento' | 'puntos';
  /**
   * Relación vigente de un CEDEAR u otro certificado de depósito con su subyacente: `20:1` indica que 20
   * certificados equivalen a una acción. Ausente si no corresponde o no se conoce.
   */
  readonly ratio?: string;
  /**
   * Especie del subyacente de un CEDEAR u otro certificado de depósito. Puede no figurar en la lista.
   * Ausente si no corresponde o no se conoce.
   */
  readonly subyacente?: string;
  /**
   * Nombre de la fuente de `ultimo`. Ausente si el instrumento se calcula a partir de otros, y si
   * ninguna fuente dio un precio desde que se importó su cierre.
   */
  readonly fuente?: string;
  /**
   * Demora de esa fuente respecto del mercado, en minutos. La de un instrumento calculado es la mayor de
   * las fuentes de sus componentes. Ausente si no se conoce: una fuente puede no informar su demora.
   */
  readonly demoraMinutos?: number;
  /**
   * Presente si la fuente en uso no envía datos mientras el mercado del instrumento está abierto, y en
   * un instrumento calculado, si la de uno de sus componentes no los envía. No figura en CSV.
   */
  readonly atrasada?: true;
  /**
   * Cantidad a la que corresponde un precio: 100 si el precio es el de 100 nominales. El valor de una
   * tenencia es cantidad × precio ÷ `precioPor`, en `moneda`. Solo si se pidió en `campos`.
   */
  readonly precioPor?: number;
  /**
   * Código ISIN de la emisión, el mismo para todas sus clases. Ausente si no se conoce. Solo si se pidió
   * en `campos`.
   */
  readonly isin?: string;
  /**
   * Especie de la clase en pesos, también en su propia fila. Ausente si el instrumento no tiene otras
   * clases. Solo si se pidió en `campos`.
   */
  readonly base?: string;
  /**
   * Clase del instrumento: en pesos, o en dólares que se pagan en la Argentina (`MEP`) o en el exterior
   * (`CABLE`). Ausente si no tiene otras clases. Solo si se pidió en `campos`.
   */
  readonly clase?: 'ARS' | 'MEP' | 'CABLE';
  /**
   * Quién emitió el instrumento, si no es lo que dice su nombre. Ausente si no se conoce. Solo si se
   * pidió en `campos`.
   */
  readonly emisor?: string;
  /**
   * Ley de la emisión de un bono o una letra: argentina o de Nueva York. Ausente si no se conoce. Solo
   * si se pidió en `campos`.
   */
  readonly ley?: 'AR' | 'NY';
  /**
   * Moneda de los pagos de un bono o una letra, la misma para todas sus clases. Ausente si no se conocen
   * sus condiciones de emisión. Solo si se pidió en `campos`.
   */
  readonly monedaPagos?: string;
  /**
   * Opción del emisor o del tenedor de un bono. Las cifras de `/bonos` no la valúan. Solo si se pidió en
   * `campos`.
   */
  readonly opcion?: string;
  /**
   * Si las condiciones de emisión son seguras: `verificado`, o la duda. Ausente si nadie lo indicó. Solo
   * si se pidió en `campos`.
   */
  readonly terminos?: string;
  /**
   * Día en el que las condiciones de emisión se compararon por última vez con sus fuentes. Solo si se
   * pidió en `campos`.
   */
  readonly terminosRevisados?: string;
  /** Fuentes de las condiciones de emisión. Solo si se pidió en `campos`. */
  readonly terminosFuentes?: string;
  /**
   * Vencimiento contractual de un bono o una letra. Ausente si no se conoce. Solo si se pidió en
   * `campos`.
   */
  readonly vencimiento?: string;
  /**
   * Especie bajo la que están las condiciones de emisión: la misma para todas las clases de un título.
   * Ausente, como los campos que siguen, si no se conocen. Solo si se pidió en `campos`.
   */
  readonly titulo?: string;
  /** Primer día de devengamiento. Solo si se pidió en `campos`. */
  readonly emision?: string;
  /** Meses entre dos cupones. Ausente si los cupones no son regulares. Solo si se pidió en `campos`. */
  readonly frecuencia?: number;
  /** Fecha del primer cupón, si son regulares. Solo si se pidió en `campos`. */
  readonly primerCupon?: string;
  /**
   * Fechas de todos los cupones, separadas por espacios, si no son regulares. Solo si se pidió en
   * `campos`.
   */
  readonly fechasCupon?: string;
  /**
   * Tasas anuales fijas, en por ciento, cada una desde su fecha: `2021-07-09=0.5;2023-07-09=0.75`. Solo
   * si se pidió en `campos`.
   */
  readonly tasa?: string;
  /** Conteo de días del cupón. Solo si se pidió en `campos`. */
  readonly conteoDias?: '30/360' | 'act/365' | 'act/360';
  /**
   * Amortizaciones, en por ciento del valor nominal original: en una fecha, o en cada fecha de cupón de
   * un rango (`2024-07-09=4;2025-01-09/2030-07-09=8`). Solo si se pidió en `campos`.
   */
  readonly amortizacion?: string;
  /** Índice por el que ajusta, o tasa del cupón variable. Solo si se pidió en `campos`. */
  readonly indice?: 'CER' | 'UVA' | 'A3500' | 'TAMAR' | 'BADLAR';
  /** Días de liquidación por los que el índice precede a la liquidación. Solo si se pidió en `campos`. */
  readonly rezago?: number;
  /** Valor del índice a la emisión. Solo si se pidió en `campos`. */
  readonly baseIndice?: number;
  /** Puntos de un cupón variable sobre la tasa. Solo si se pidió en `campos`. */
  readonly margen?: number;
  /**
   * Interés capitalizado en el capital: 1.27 si 100 nominales deben 127, y 1 si no hubo. Solo si se
   * pidió en `campos`.
   */
  readonly factor?: number;
  /** Tasa mensual de una LECAP o un BONCAP, en por ciento. Solo si se pidió en `campos`. */
  readonly tem?: number;
  /** Si paga la mejor de `tem` y una tasa variable. Solo si se pidió en `campos`. */
  readonly dual?: 'max';
  /** Si un pago en un día sin rueda se hace en la rueda siguiente. Solo si se pidió en `campos`. */
  readonly ajusteFecha?: 'siguiente';
}

export interface Feriado {
  readonly fecha: string;
  readonly nombre: string;
}

/** Estado, horario y feriados de un mercado. */
export interface HorarioDeMercado {
  /** Código del mercado, como en `/especies.json`. */
  readonly mercado: string;
  readonly nombre: string;
  /** Zona horaria del mercado, con el nombre de la base de datos de la IANA. */
  readonly zona: string;
  /**
   * `abierto` desde la apertura hasta el instante anterior al cierre. Un mercado que opera todo el día
   * está abierto todas las horas de sus días hábiles.
   */
  readonly estado: 'abierto' | 'cerrado';
  /**
   * Fecha de la rueda en curso o, con el mercado cerrado, de la última rueda que abrió, en la zona del
   * mercado.
   */
  readonly rueda: string;
  /** Hora de apertura de `rueda`, en hora local del mercado. */
  readonly abre: string;
  /**
   * Hora de cierre de `rueda`, en hora local del mercado. Contempla los cierres anticipados. `24:00` es
   * el fin del día.
   */
  readonly cierra: string;
  /**
   * Próximo instante en que cambia `estado` o `rueda`, con la diferencia horaria del mercado: el cierre
   * o, con el mercado cerrado, la próxima apertura. En un mercado que opera todo el día es la
   * medianoche, cuando empieza otra rueda o cierra.
   */
  readonly cambia: string;
  /**
   * Feriados del año, o de todos los años si se pidió `anio=todos`, en orden de fecha, según el
   * calendario cargado. Los días de la semana en que el mercado nunca opera no son feriados. Está vacío
   * si el mercado no tiene feriados o si el calendario no contempla ese año. En CSV es una celda, con
   * los feriados separados por punto y coma.
   */
  readonly feriados: readonly Feriado[];
  /**
   * Días de la semana en que opera, de 1 (lunes) a 7 (domingo), separados por espacios. Solo si se pidió
   * en `campos`.
   */
  readonly dias?: string;
  /**
   * Horarios en hora local, en orden, cada uno desde su fecha; el primero, desde siempre:
   * `11:00-17:00;2025-07-28=10:30-17:00`. Solo si se pidió en `campos`.
   */
  readonly horarios?: string;
  /**
   * Días en que cierra antes, con la hora local: `2026-12-24=13:00;2026-12-31=13:00`. Vacío si no hay.
   * Solo si se pidió en `campos`.
   */
  readonly cierresAnticipados?: string;
  /**
   * Días del año en que opera y no liquida, porque sus bancos están cerrados, en orden de fecha. Solo si
   * se pidió `liquidacion` en `campos`.
   */
  readonly sinLiquidacion?: readonly string[];
}

/** Cifras de un bono a un precio, según una convención. */
export interface CifrasDeBono {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Fecha de la cotización. Con `precio`, la de hoy. */
  readonly fecha: string;
  /** Hora de la cotización, en Buenos Aires. `null` con `precio`, y si no se conoce. */
  readonly hora: string | null;
  /** Fecha de liquidación. */
  readonly liquidacion: string;
  /** Precio usado, en la forma de la convención, cada 100 de valor nominal. */
  readonly precio: number | null;
  /** Moneda del precio. */
  readonly moneda: string;
  /** Pesos por dólar con los que se convirtió el precio. `null` si no se convirtió. */
  readonly tipoCambio: number | null;
  /** Tasa interna de retorno anual, en por ciento, capitalizada como dice la convención. */
  readonly tir: number | null;
  /** Tasa nominal anual, en por ciento. Con un solo pago pendiente es la tasa simple. */
  readonly tna: number | null;
  /** Tasa efectiva mensual, en por ciento. */
  readonly tem: number | null;
  /** Duration de Macaulay, en años. */
  readonly duration: number | null;
  /** Duration modificada, en años. */
  readonly durationModificada: number | null;
  /** Convexidad, en años al cuadrado. */
  readonly convexidad: number | null;
  /** Capital residual con los intereses corridos, multiplicado por el índice, en la moneda de los flujos. */
  readonly valorTecnico: number | null;
  /** Intereses corridos, multiplicados por el índice, en la moneda de los flujos. */
  readonly interesesCorridos: number | null;
  /** Capital residual, en por ciento del valor nominal original. */
  readonly residual: number | null;
  /** Precio dividido por el valor técnico, o por lo que diga la convención, en por ciento. */
  readonly paridad: number | null;
  /** Vencimiento contractual. */
  readonly vencimiento: string;
  /** Índice por el que ajusta. `null` si no ajusta. */
  readonly indice: string | null;
  /** Día del índice que corresponde a la liquidación, AAAA-MM-DD. */
  readonly fechaIndice: string | null;
  /** Valor del índice en ese día. `null` si no se conoce. */
  readonly valorIndice: number | null;
  /**
   * Lo que las cifras suponen: `pata fija`, `sin opciones`, `terminos en duda`. Si son varios, están
   * separados por «; ».
   */
  readonly supuesto: string | null;
  /**
   * `ok`, o por qué faltan cifras: la liquidación es anterior a la emisión, el bono venció, falta el
   * valor del índice o el dólar, ninguna tasa da ese precio, o el precio no puede ser el de 100
   * nominales (paridad menor que 5 % o mayor que 200 %).
   */
  readonly estado: 'ok' | 'no-emitido' | 'vencido' | 'sin-indice' | 'sin-cambio' | 'sin-solucion' | 'precio-dudoso';
}

/** Cifras de un bono al cierre de una rueda. */
export interface CifrasDeCierre {
  /** Especie del instrumento. */
  readonly especie: string;
  /** Fecha de la rueda. */
  readonly fecha: string;
  /** Fecha de liquidación. */
  readonly liquidacion: string;
  /** Precio usado, en la forma de la convención, cada 100 de valor nominal. */
  readonly precio: number | null;
  /** Tasa interna de retorno anual, en por ciento, capitalizada como dice la convención. */
  readonly tir: number | null;
  /** Tasa nominal anual, en por ciento. Con un solo pago pendiente es la tasa simple. */
  readonly tna: number | null;
  /** Tasa efectiva mensual, en por ciento. */
  readonly tem: number | null;
  /** Duration modificada, en años. */
  readonly durationModificada: number | null;
  /** Precio dividido por el valor técnico, o por lo que diga la convención, en por ciento. */
  readonly paridad: number | null;
  /** Capital residual con los intereses corridos, multiplicado por el índice, en la moneda de los flujos. */
  readonly valorTecnico: number | null;
  /**
   * `ok`, o por qué faltan cifras: la liquidación es anterior a la emisión, el bono venció, falta el
   * valor del índice o el dólar, ninguna tasa da ese precio, o el precio no puede ser el de 100
   * nominales (paridad menor que 5 % o mayor que 200 %).
   */
  readonly estado: 'ok' | 'no-emitido' | 'vencido' | 'sin-indice' | 'sin-cambio' | 'sin-solucion' | 'precio-dudoso';
  /**
   * TIR de la especie menos la de `contra` en la misma rueda, en puntos. `null` si falta una de las dos.
   * Solo con `contra`.
   */
  readonly diferencia?: number | null;
}

/** Un pago de un bono, cada 100 de valor nominal original. */
export interface FlujoDeBono {
  /** Fecha contractual. */
  readonly fecha: string;
  /** Día del pago, en que el mercado liquida. */
  readonly pago: string;
  /** Interés. `null` si su tasa todavía no se conoce. */
  readonly interes: number | null;
  /** Amortización. */
  readonly amortizacion: number;
  /** Interés más amortización. `null` si no se conoce el interés. */
  readonly total: number | null;
  /** Capital residual después del pago, en por ciento del valor nominal original. */
  readonly residual: number;
  /** Total multiplicado por el índice. `null` si falta el índice o el total. */
  readonly ajustado: number | null;
}

/** Un precio del dólar en pesos, o el canje en por ciento, con su cálculo. */
export interface PrecioDelDolar {
  readonly dolar: Dolar;
  /**
   * La especie en pesos de la que se obtiene el precio (`AL30`, `SPY`), el mercado que lo publica
   * (`BCRA`), o `CEDEARS` para la mediana.
   */
  readonly base: string;
  /** Precio al que se puede vender, según las puntas. `null` si falta alguna. */
  readonly compra: number | null;
  /** Precio al que se puede comprar, según las puntas. `null` si falta alguna. */
  readonly venta: number | null;
  /**
   * Precio según los últimos precios operados, con 4 decimales como máximo. `null` si `estado` es
   * `precio-dudoso`.
   */
  readonly ultimo: number | null;
  /**
   * Diferencia con el dólar mayorista, en por ciento. `null` para el canje, y si no hay un dólar
   * mayorista de la misma rueda o de la anterior.
   */
  readonly brecha: number | null;
  /** Fecha de la rueda de las cotizaciones. */
  readonly fecha: string;
  /** Hora de la más antigua de las dos cotizaciones, en Buenos Aires. `null` si no se conoce. */
  readonly hora: string | null;
  /**
   * `publicado` si lo informa una fuente, `implicito` si es un cociente de dos especies, `cedear` si es
   * el de un CEDEAR con su subyacente, `mediana` si es la de los CEDEARs.
   */
  readonly calculo: 'publicado' | 'implicito' | 'cedear' | 'mediana';
  /** La especie del numerador, o la que publica el precio. `null` para la mediana. */
  readonly numerador: string | null;
  /** La especie del denominador. `null` si no hay. */
  readonly denominador: string | null;
  /**
   * `ok`; `precio-dudoso` si los demás precios lo contradicen, y entonces no tiene precios; o `atrasada`
   * y la especie cuyo precio es más de 15 minutos anterior al otro (`atrasada AL30D`).
   */
  readonly estado: string;
}

/** Estado del proceso y de los mercados. */
export interface Estado {
  /** `atrasado`, con el código 503, si este nodo no puede leer la base de datos y otro nodo sí. */
  readonly estado: 'ok' | 'atrasado';
  /**
   * Identificador del servicio en ejecución. Es un valor aleatorio, distinto en cada inicio e igual en
   * todos sus procesos.
   */
  readonly instancia: string;
  /**
   * Indica si los precios son reales o de una demostración. En una demostración, todas las respuestas
   * llevan además el encabezado `Data-Source: simulated`, y todos los mercados están abiertos todos los
   * días, de 00:00 a 24:00 de Buenos Aires.
   */
  readonly datos: 'reales' | 'simulados';
  /** Hora del servicio. Durante la reproducción de una grabación, hora de la grabación. */
  readonly ahora: string;
  /**
   * Milisegundos desde la última confirmación de las cotizaciones por la base de datos. Solo en un
   * servicio de varios nodos. Crece mientras la base de datos no responde.
   */
  readonly edadMs?: number;
  /**
   * Presente si ninguna de las fuentes de precios configuradas responde. Es el motivo más frecuente: no
   * se encuentra su nombre en la red, no hay conexión, no responden a tiempo, su certificado no es
   * válido, rechazan el acceso, limitan los pedidos, no aceptan el pedido, tienen una falla propia, su
   * formato no es el conocido, o hay un defecto del programa. Solo lo indica el nodo que lee las
   * fuentes.
   */
  readonly sinFuentes?: 'nombre' | 'conexion' | 'demora' | 'certificado' | 'rechazo' | 'limite' | 'pedido' | 'servidor' | 'formato' | 'programa';
  /**
   * Las fuentes configuradas que no envían datos desde hace más tiempo que su límite mientras uno de sus
   * mercados está abierto, también las que envían sus precios por sí mismas. Ausente si no hay ninguna.
   * `/especies.json` indica sus instrumentos con `atrasada`. Solo lo indica el nodo que lee las fuentes.
   */
  readonly fuentesAtrasadas?: readonly FuenteAtrasada[];
  readonly mercados: readonly Mercado[];
}

/** Una fuente que no envía datos mientras uno de sus mercados está abierto. */
export interface FuenteAtrasada {
  /** Nombre de la fuente, como en `/especies.json`. */
  readonly fuente: string;
  /** Códigos de sus mercados que están abiertos. */
  readonly mercados: readonly string[];
  /** Instante de su último precio. Null si no dio ninguno. */
  readonly desde: string | null;
}

/** Estado de la rueda de un mercado. */
export interface Mercado {
  readonly codigo: string;
  readonly nombre: string;
  readonly estado: 'abierto' | 'cerrado';
  /** Fecha de la rueda en curso o, con el mercado cerrado, de la última rueda. */
  readonly rueda: string;
  /** Instante del cierre o, con el mercado cerrado, de la próxima apertura. */
  readonly cambia: string;
}

/** The query parameters of each path. A list may also be a text with commas. */
export interface Parameters {
  readonly '/cotizaciones': {
    readonly especie?: string | readonly string[] | undefined;
    readonly panel?: Panel | undefined;
    readonly campos?: string | readonly CampoDeCotizacion[] | undefined;
    readonly moneda?: MonedaDePrecios | undefined;
    readonly dolar?: DolarDeConversion | undefined;
  };
  readonly '/ranking': {
    readonly panel: Panel;
    readonly por?: CriterioDeRanking | undefined;
    readonly orden?: OrdenDeRanking | undefined;
    readonly limite?: number | undefined;
    readonly campos?: string | readonly CampoDeCotizacion[] | undefined;
  };
  readonly '/cotizaciones/stream': {
    readonly especie?: string | readonly string[] | undefined;
    readonly panel?: Panel | undefined;
    readonly campos?: string | readonly CampoDeCotizacion[] | undefined;
    readonly barras?: Intervalo | undefined;
    readonly latido?: Latido | undefined;
  };
  readonly '/historicos': {
    readonly especie?: string | undefined;
    readonly desde: string;
    readonly hasta: string;
    readonly forma?: Forma | undefined;
    readonly panel?: Panel | undefined;
    readonly campo?: CampoDeCelda | undefined;
    readonly ajuste?: Ajuste | undefined;
    readonly intervalo?: IntervaloDeHistorico | undefined;
    readonly moneda?: MonedaDePrecios | undefined;
    readonly dolar?: DolarDeConversion | undefined;
    readonly campos?: string | readonly CampoDeHistorico[] | undefined;
    readonly conocido?: string | undefined;
  };
  readonly '/eventos': {
    readonly especie: string;
    readonly desde: string;
    readonly hasta: string;
    readonly forma?: 'larga' | undefined;
    readonly conocido?: string | undefined;
  };
  readonly '/cambios': {
    readonly especie?: string | undefined;
    readonly indice?: CodigoDeIndice | undefined;
    readonly desde?: string | undefined;
    readonly hasta?: string | undefined;
  };
  readonly '/indices': {
    readonly indice?: CodigoDeIndice | undefined;
    readonly desde?: string | undefined;
    readonly hasta?: string | undefined;
  };
  readonly '/intradiarios': {
    readonly especie: string;
    readonly desde?: string | undefined;
    readonly hasta?: string | undefined;
    readonly intervalo?: Intervalo | undefined;
    readonly campos?: string | readonly CampoDeBarra[] | undefined;
  };
  readonly '/recorridos': {
    readonly especie?: string | readonly string[] | undefined;
    readonly panel?: Panel | undefined;
  };
  readonly '/especies.txt': {
    readonly panel?: Panel | undefined;
  };
  readonly '/especies.json': {
    readonly especie?: string | readonly string[] | undefined;
    readonly panel?: Panel | undefined;
    readonly buscar?: string | undefined;
    readonly campos?: string | readonly CampoDeInstrumento[] | undefined;
  };
  readonly '/mercados': {
    readonly anio?: string | undefined;
    readonly campos?: string | readonly CampoDeMercado[] | undefined;
  };
  readonly '/bonos': {
    readonly especie?: string | readonly string[] | undefined;
    readonly panel?: Panel | undefined;
    readonly convencion?: Convencion | undefined;
    readonly plazo?: Plazo | undefined;
    readonly dolar?: 'mep' | 'ccl' | 'a3500' | 'mayorista' | undefined;
    readonly precio?: number | undefined;
  };
  readonly '/bonos/historicos': {
    readonly especie: string;
    readonly desde: string;
    readonly hasta: string;
    readonly convencion?: Convencion | undefined;
    readonly plazo?: Plazo | undefined;
    readonly dolar?: 'mep' | 'ccl' | 'a3500' | 'mayorista' | undefined;
    readonly intervalo?: IntervaloDeHistorico | undefined;
    readonly contra?: string | undefined;
  };
  readonly '/bonos/flujos': {
    readonly especie: string;
    readonly desde?: string | undefined;
    readonly plazo?: Plazo | undefined;
  };
  readonly '/dolares': {
    readonly dolar?: Dolar | undefined;
    readonly base?: string | undefined;
  };
}

/** The rows of each table. */
export interface Tables {
  readonly '/cotizaciones': Cotizacion;
  readonly '/ranking': Cotizacion;
  readonly '/historicos': PrecioHistorico | FilaAncha;
  readonly '/eventos': Evento;
  readonly '/cambios': Cambio | CambioDeIndice;
  readonly '/indices': Indice | ValorDeIndice;
  readonly '/intradiarios': Barra;
  readonly '/especies.json': Instrumento;
  readonly '/mercados': HorarioDeMercado;
  readonly '/bonos': CifrasDeBono;
  readonly '/bonos/historicos': CifrasDeCierre;
  readonly '/bonos/flujos': FlujoDeBono;
  readonly '/dolares': PrecioDelDolar;
}
