# Generated from the contract by `npm run docs`. Do not edit.
"""The rows of the contract. A field that is absent or null in a response is None."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Literal, Mapping, Optional, Tuple, Type, Union, get_args

from ._row import Row

# Grupo predefinido de instrumentos:
#
# | código | grupo |
# |---|---|
# | LID | acciones del panel líder |
# | GEN | acciones del panel general |
# | LIDGEN | acciones de los paneles líder y general |
# | BONOS | bonos argentinos: soberanos, provinciales y obligaciones negociables |
# | BON | alias de BONOS, por compatibilidad con versiones anteriores |
# | ETF | ETFs internacionales |
# | ADR | certificados de depósito internacionales |
# | ADRARG | certificados de depósito de empresas argentinas que cotizan en Estados Unidos |
# | VARIAS | acciones internacionales varias |
# | CED | todos los CEDEARs |
# | IND | índices, tipos de cambio, materias primas y tasas |
Panel = Literal["LID", "GEN", "LIDGEN", "BONOS", "BON", "ETF", "ADR", "ADRARG", "VARIAS", "CED", "IND"]

# Campo que una cotización tiene solo si se pidió en `campos`.
CampoDeCotizacion = Literal["compra", "venta", "cantCompra", "cantVenta", "monto", "operaciones", "fuente", "instante"]

# Valor por el que se ordenan las cotizaciones de un panel.
CriterioDeRanking = Literal["variacion", "varMTD", "varYTD", "volumen", "monto"]

# De mayor a menor, o de menor a mayor.
OrdenDeRanking = Literal["desc", "asc"]

# Tiempo máximo sin datos de una transmisión, en segundos.
Latido = Literal["2s", "5s", "10s"]

# Campo que un precio histórico tiene solo si se pidió en `campos`.
CampoDeHistorico = Literal["apertura", "maximo", "minimo", "instante"]

# Campo que una barra tiene solo si se pidió en `campos`.
CampoDeBarra = Literal["instante"]

# Valor que muestran las celdas de una tabla ancha.
CampoDeCelda = Literal["ultimo", "apertura", "maximo", "minimo", "volumen"]

# Forma de la tabla de varias series: una fila por especie y fecha, o una fila por fecha con una
# columna por especie.
Forma = Literal["larga", "ancha"]

# Ajuste de una serie histórica: ninguno, por *splits*, o total (*splits*, dividendos en efectivo y
# pagos de bonos).
Ajuste = Literal["ninguno", "splits", "total"]

# `CER`: Coeficiente de Estabilización de Referencia. `UVA`: Unidad de Valor Adquisitivo, en pesos.
# `A3500`: tipo de cambio de referencia de la Comunicación A 3500, en pesos por dólar. `TAMAR` y
# `BADLAR`: tasas de depósitos mayoristas en pesos de bancos privados, en % nominal anual. `ICL`:
# Índice para Contratos de Locación. `IPC`: inflación de cada mes según el Índice de Precios al
# Consumidor, en %.
CodigoDeIndice = Literal["CER", "UVA", "A3500", "TAMAR", "BADLAR", "ICL", "IPC"]

# Qué cambió el valor.
OrigenDeCambio = Literal["importacion", "descarga", "rueda", "confirmacion", "reversion", "eliminacion", "universo", "demostracion", "desconocido"]

# Período de una fila de `/historicos`: `1d` es una rueda, `1sem` una semana de lunes a domingo y
# `1mes` un mes calendario.
IntervaloDeHistorico = Literal["1d", "1sem", "1mes"]

# Moneda a la que se convierten los precios.
MonedaDePrecios = Literal["ARS", "USD"]

# Dólar con el que se convierten los precios: el de `DOLAR MEP`, `DOLAR CCL`, `DOLAR OFICIAL`, `DOLAR
# MAYORISTA` o `DOLAR BLUE`.
DolarDeConversion = Literal["mep", "ccl", "oficial", "mayorista", "blue"]

# Duración de una barra, en minutos. Las barras se alinean con la hora del mercado: las de 60 minutos
# comienzan a la hora en punto.
Intervalo = Literal["1m", "5m", "15m", "60m"]

# Campo que un instrumento tiene solo si se pidió en `campos`.
CampoDeInstrumento = Literal["precioPor", "isin", "base", "clase", "emisor", "ley", "monedaPagos", "opcion", "terminos", "terminosRevisados", "terminosFuentes", "vencimiento", "titulo", "emision", "frecuencia", "primerCupon", "fechasCupon", "tasa", "conteoDias", "amortizacion", "indice", "rezago", "baseIndice", "margen", "factor", "tem", "dual", "ajusteFecha"]

# Campo que un mercado tiene solo si se pidió en `campos`. `liquidacion` agrega `sinLiquidacion`.
CampoDeMercado = Literal["dias", "horarios", "cierresAnticipados", "liquidacion"]

# Plazo de liquidación.
Plazo = Literal["24hs", "ci"]

# Convención con la que se cuentan la TIR y las demás cifras. Lleva el nombre de quien publica cifras
# contadas de ese modo.
Convencion = Literal["pizarra", "screenermatic", "ecovalores", "bonarg", "bloomberg", "tablero", "bonistas"]

# Un dólar, por dónde y cómo se compra.
Dolar = Literal["oficial", "mayorista", "a3500", "tarjeta", "blue", "mep", "ccl", "canje", "cripto"]

# Fila de una tabla ancha: la fecha y un valor por especie, en el orden del pedido. El nombre de cada
# valor es la especie. Es `null` si la especie no tiene ese valor en esa fecha.
FilaAncha = Mapping[str, Union[str, Optional[float]]]



@dataclass(frozen=True)
class CierreDeTransmision(Row):
    """Motivo por el que el servicio termina una transmisión."""

    motivo: Literal["clave", "lentitud", "seleccion", "detencion"]

    detalle: str

    FIELDS = ("motivo", "detalle",)


@dataclass(frozen=True)
class Cotizacion(Row):
    """Última cotización de un instrumento."""

    especie: str
    """Especie del instrumento."""

    fecha: str
    """Fecha de la rueda, en la zona horaria del mercado."""

    ultimo: float
    """Último precio disponible."""

    hora: Optional[str] = None
    """Hora de la última actualización, en hora de Buenos Aires. Ausente si la fuente no la informó. Un
    cambio que afecta solo a los campos de `campos` no la modifica.
    """

    variacion: Optional[float] = None
    """Variación respecto del cierre anterior: en puntos para tasas, brechas y riesgo país; en porcentaje
    para los demás instrumentos (12 es 12 %). Siempre presente. Es `null` si no se puede calcular o si
    el cierre anterior es más de 45 días anterior a la rueda.
    """

    anterior: Optional[float] = None
    """Cierre anterior. Ausente si no se conoce. Tras un split, un dividendo en acciones o un cambio de
    ratio está dividido por su factor, igual que las bases de `varMTD` y `varYTD`.
    """

    apertura: Optional[float] = None
    """Precio de apertura de la rueda. Ausente si no se conoce."""

    minimo: Optional[float] = None
    """Precio mínimo de la rueda. Ausente si no se conoce."""

    maximo: Optional[float] = None
    """Precio máximo de la rueda. Ausente si no se conoce."""

    varMTD: Optional[float] = None
    """Variación acumulada en el mes, en porcentaje, desde el último cierre anterior al mes. Siempre
    presente. Es `null` si no se puede calcular, si ese cierre es más de 45 días anterior al fin del mes
    anterior, y siempre para brechas.
    """

    varYTD: Optional[float] = None
    """Variación acumulada en el año, en porcentaje, desde el último cierre anterior al año. Siempre
    presente. Es `null` si no se puede calcular, si ese cierre no es del año anterior ni, como máximo,
    45 días anterior a su fin, y siempre para brechas.
    """

    volumen: Optional[float] = None
    """Volumen nominal operado. Admite decimales. Siempre presente. Es 0 si no hubo operaciones y `null`
    para índices, tasas, tipos de cambio y brechas, o si solo se conoce el cierre.
    """

    compra: Optional[float] = None
    """Mejor precio de los compradores. Solo si se pidió en `campos`, como los campos que siguen. Ausente
    si no se conoce o si no hay órdenes de compra.
    """

    venta: Optional[float] = None
    """Mejor precio de los vendedores. Ausente si no se conoce o si no hay órdenes de venta. Puede ser
    menor que `compra`, por ejemplo en una subasta.
    """

    cantCompra: Optional[float] = None
    """Cantidad nominal a ese precio de compra. Ausente si no se conoce."""

    cantVenta: Optional[float] = None
    """Cantidad nominal a ese precio de venta. Ausente si no se conoce."""

    monto: Optional[float] = None
    """Monto operado en la rueda, en la moneda del instrumento. Ausente si no se conoce."""

    operaciones: Optional[int] = None
    """Cantidad de operaciones de la rueda. Ausente si no se conoce."""

    fuente: Optional[str] = None
    """Nombre de la fuente del precio. Ausente si no se conoce."""

    instante: Optional[str] = None
    """Instante de `hora` en segundos, con el desplazamiento horario del mercado: sus diez primeros
    caracteres son los de `fecha`. Ausente si `hora` lo está.
    """

    FIELDS = ("especie", "fecha", "hora", "ultimo", "variacion", "anterior", "apertura", "minimo", "maximo", "varMTD", "varYTD", "volumen", "compra", "venta", "cantCompra", "cantVenta", "monto", "operaciones", "fuente", "instante",)


@dataclass(frozen=True)
class Recorrido(Row):
    """Recorrido del precio de un instrumento en una rueda, en pasos iguales desde la apertura."""

    especie: str
    """Especie del instrumento."""

    fecha: str
    """Fecha de la rueda, en la zona horaria del mercado. Es la de la cotización."""

    desde: str
    """Apertura de la rueda, hora de Buenos Aires. El primer paso comienza en ella."""

    pasoMinutos: int
    """Duración de un paso, en minutos: 1, 5, 15 o 60. Es la más corta con la que la rueda tiene 100 pasos
    o menos.
    """

    valores: List[Optional[float]]
    """Último precio de cada paso, en orden; `null` si no hubo ninguno. El último valor es el del último
    paso con un precio. Un precio posterior al cierre está en el último paso de la rueda.
    """

    FIELDS = ("especie", "fecha", "desde", "pasoMinutos", "valores",)


@dataclass(frozen=True)
class PrecioHistorico(Row):
    """Precio de cierre de una rueda."""

    especie: str
    """Especie del instrumento."""

    fecha: str
    """Fecha de la rueda."""

    ultimo: float
    """Precio de cierre operado ese día o, si se pidió, ajustado."""

    apertura: Optional[float] = None
    """Precio de apertura de la rueda. Solo si se pidió en `campos` y se conoce."""

    maximo: Optional[float] = None
    """Precio máximo de la rueda. Solo si se pidió en `campos` y se conoce."""

    minimo: Optional[float] = None
    """Precio mínimo de la rueda. Solo si se pidió en `campos` y se conoce."""

    instante: Optional[str] = None
    """Cierre nominal de la rueda, con el desplazamiento horario del mercado. Tiene en cuenta los cierres
    anticipados. En un mercado que cierra a las 24:00 es un segundo antes. Solo si se pidió en `campos`.
    """

    volumen: Optional[float] = None
    """Volumen operado. Es `null` para índices, tasas, tipos de cambio y brechas, o si no se conoce."""

    FIELDS = ("especie", "fecha", "ultimo", "apertura", "maximo", "minimo", "instante", "volumen",)


@dataclass(frozen=True)
class CambioDeUnidades(Row):
    """Evento que cambia la cantidad de unidades. `split`: división o agrupación. `dividendo-acciones`:
    dividendo en acciones. `ratio`: cambio de ratio de un CEDEAR.
    """

    especie: str
    """Especie del instrumento."""

    fecha: str
    """Fecha ex, la primera rueda con los precios posteriores al evento."""

    tipo: Literal["split", "dividendo-acciones", "ratio"]
    """Tipo de evento."""

    factor: float
    """Los precios anteriores a la fecha ex se dividen por él. En un *split*, un dividendo en acciones o un
    cambio de ratio es la cantidad de unidades nuevas por cada unidad anterior: 10 en un *split* de 10
    por 1, 1,09 en un dividendo en acciones de 9 %.
    """

    FIELDS = ("especie", "fecha", "tipo", "factor",)

    TIPOS = ("split", "dividendo-acciones", "ratio",)


@dataclass(frozen=True)
class CambioDeValor(Row):
    """Evento que cambia el valor de una unidad y no su cantidad. `suscripcion`: derechos de suscripción.
    `escision`: escisión de otra empresa. El factor es el último precio anterior dividido por el teórico
    posterior.
    """

    especie: str
    """Especie del instrumento."""

    fecha: str
    """Fecha ex, la primera rueda con los precios posteriores al evento."""

    tipo: Literal["suscripcion", "escision"]
    """Tipo de evento."""

    factor: float
    """Los precios anteriores a la fecha ex se dividen por él. En un *split*, un dividendo en acciones o un
    cambio de ratio es la cantidad de unidades nuevas por cada unidad anterior: 10 en un *split* de 10
    por 1, 1,09 en un dividendo en acciones de 9 %.
    """

    FIELDS = ("especie", "fecha", "tipo", "factor",)

    TIPOS = ("suscripcion", "escision",)


@dataclass(frozen=True)
class DividendoEnEfectivo(Row):
    """Dividendo en efectivo."""

    especie: str
    """Especie del instrumento."""

    fecha: str
    """Fecha ex, la primera rueda con los precios posteriores al evento."""

    tipo: Literal["dividendo"]
    """Tipo de evento."""

    importe: float
    """Importe por unidad de la fecha ex."""

    moneda: str
    """Moneda del importe, código ISO 4217."""

    FIELDS = ("especie", "fecha", "tipo", "importe", "moneda",)

    TIPOS = ("dividendo",)


@dataclass(frozen=True)
class CambioDeTicker(Row):
    """Cambio de especie."""

    especie: str
    """Especie del instrumento."""

    fecha: str
    """Fecha ex, la primera rueda con la especie nueva."""

    tipo: Literal["cambio-ticker"]
    """Tipo de evento."""

    detalle: str
    """Especie nueva."""

    FIELDS = ("especie", "fecha", "tipo", "detalle",)

    TIPOS = ("cambio-ticker",)


@dataclass(frozen=True)
class Cambio(Row):
    """Cambio de un valor guardado de un instrumento."""

    instante: str
    """Instante en que se guardó el cambio, en UTC, con milisegundos."""

    especie: str
    """Especie de la fila de `/historicos`, de `/eventos` o de `/especies.json` que cambió."""

    fecha: str
    """Fecha de la rueda o fecha ex del evento. De una condición de emisión, la fecha del cambio en Buenos
    Aires.
    """

    campo: Literal["ultimo", "apertura", "maximo", "minimo", "volumen", "fuente", "split", "dividendo-acciones", "dividendo", "ratio", "suscripcion", "escision", "cambio-ticker", "isin", "ley", "monedaPagos", "opcion", "terminos", "vencimiento", "titulo", "emision", "frecuencia", "primerCupon", "fechasCupon", "tasa", "conteoDias", "amortizacion", "indice", "rezago", "baseIndice", "margen", "factor", "tem", "dual", "ajusteFecha"]
    """Campo que cambió. `fuente` es la de un cierre. Para un evento, su tipo: el valor es el factor, la
    especie nueva o, de un dividendo, el importe y la moneda (`12.5 ARS`). Para una condición de
    emisión, su campo en `/especies.json`, con un valor de la misma forma.
    """

    origen: OrigenDeCambio

    antes: Optional[Union[float, str]] = None
    """Valor anterior, con todos sus decimales. Es `null` si no había un valor."""

    despues: Optional[Union[float, str]] = None
    """Valor nuevo, con todos sus decimales. Es `null` si ya no hay un valor."""

    fuente: Optional[str] = None
    """Fuente del valor nuevo o, si ya no hay un valor, del último. Es `null` si no se conoce."""

    FIELDS = ("instante", "especie", "fecha", "campo", "antes", "despues", "fuente", "origen",)


@dataclass(frozen=True)
class CambioDeIndice(Row):
    """Cambio de un valor guardado de un índice."""

    instante: str
    """Instante en que se guardó el cambio, en UTC, con milisegundos."""

    indice: CodigoDeIndice

    fecha: str
    """Día al que corresponde el valor."""

    campo: Literal["valor", "fuente"]
    """Campo que cambió."""

    origen: OrigenDeCambio

    antes: Optional[Union[float, str]] = None
    """Valor anterior, con todos sus decimales. Es `null` si no había un valor."""

    despues: Optional[Union[float, str]] = None
    """Valor nuevo, con todos sus decimales. Es `null` si ya no hay un valor."""

    fuente: Optional[str] = None
    """Fuente del valor nuevo o, si ya no hay un valor, del último. Es `null` si no se conoce."""

    FIELDS = ("instante", "indice", "fecha", "campo", "antes", "despues", "fuente", "origen",)


@dataclass(frozen=True)
class Indice(Row):
    """Índice con su primer y su último día."""

    indice: CodigoDeIndice

    nombre: str
    """Nombre completo."""

    desde: Optional[str] = None
    """Primer día con un valor. Es `null` si el índice no tiene valores."""

    hasta: Optional[str] = None
    """Último día con un valor, que puede estar por venir. Es `null` si el índice no tiene valores."""

    FIELDS = ("indice", "nombre", "desde", "hasta",)


@dataclass(frozen=True)
class ValorDeIndice(Row):
    """Valor de un índice en un día, que puede estar por venir."""

    indice: CodigoDeIndice

    fecha: str
    """Día al que corresponde el valor. El del IPC es el último del mes."""

    valor: float
    """Valor del día, mayor que cero. El del IPC es la inflación del mes, en por ciento, que puede ser
    negativa.
    """

    FIELDS = ("indice", "fecha", "valor",)


@dataclass(frozen=True)
class Barra(Row):
    """Precios de un instrumento durante un intervalo. La barra figura solo si hubo un precio."""

    especie: str
    """Especie del instrumento."""

    fecha: str
    """Fecha de la rueda, en la zona horaria del mercado."""

    hora: str
    """Comienzo de la barra, hora de Buenos Aires."""

    apertura: float
    """Primer precio."""

    maximo: float
    """Precio más alto."""

    minimo: float
    """Precio más bajo."""

    ultimo: float
    """Último precio."""

    volumen: Optional[float] = None
    """Volumen nominal operado desde la barra anterior, con 8 decimales como máximo. `null` si el
    instrumento no tiene volumen o se desconoce.
    """

    instante: Optional[str] = None
    """Comienzo de la barra, con el desplazamiento horario del mercado. Solo si se pidió en `campos`."""

    FIELDS = ("especie", "fecha", "hora", "apertura", "maximo", "minimo", "ultimo", "volumen", "instante",)


@dataclass(frozen=True)
class Instrumento(Row):
    """Datos de un instrumento."""

    especie: str
    """Especie del instrumento."""

    nombre: str
    """Nombre del instrumento."""

    tipo: Literal["accion", "cedear", "adr", "etf", "bono", "obligacion-negociable", "letra", "cripto", "indice", "tipo-de-cambio", "tasa", "brecha", "riesgo-pais"]

    mercado: str
    """Código del mercado cuyo calendario sigue. `/mercados` describe los mercados."""

    moneda: str
    """Código ISO 4217, si existe. `%` y `bp` para valores que no son dinero."""

    decimales: int
    """Cantidad máxima de decimales de sus precios."""

    unidadVariacion: Literal["por-ciento", "puntos"]
    """Unidad del campo `variacion` de sus cotizaciones."""

    ratio: Optional[str] = None
    """Relación vigente de un CEDEAR u otro certificado de depósito con su subyacente: `20:1` indica que 20
    certificados equivalen a una acción. Ausente si no corresponde o no se conoce.
    """

    subyacente: Optional[str] = None
    """Especie del subyacente de un CEDEAR u otro certificado de depósito. Puede no figurar en la lista.
    Ausente si no corresponde o no se conoce.
    """

    fuente: Optional[str] = None
    """Nombre de la fuente de `ultimo`. Ausente si el instrumento se calcula a partir de otros, y si
    ninguna fuente dio un precio desde que se importó su cierre.
    """

    demoraMinutos: Optional[float] = None
    """Demora de esa fuente respecto del mercado, en minutos. La de un instrumento calculado es la mayor de
    las fuentes de sus componentes. Ausente si no se conoce: una fuente puede no informar su demora.
    """

    atrasada: Optional[Literal[True]] = None
    """Presente si la fuente en uso no envía datos mientras el mercado del instrumento está abierto, y en
    un instrumento calculado, si la de uno de sus componentes no los envía. No figura en CSV.
    """

    precioPor: Optional[int] = None
    """Cantidad a la que corresponde un precio: 100 si el precio es el de 100 nominales. El valor de una
    tenencia es cantidad × precio ÷ `precioPor`, en `moneda`. Solo si se pidió en `campos`.
    """

    isin: Optional[str] = None
    """Código ISIN de la emisión, el mismo para todas sus clases. Ausente si no se conoce. Solo si se pidió
    en `campos`.
    """

    base: Optional[str] = None
    """Especie de la clase en pesos, también en su propia fila. Ausente si el instrumento no tiene otras
    clases. Solo si se pidió en `campos`.
    """

    clase: Optional[Literal["ARS", "MEP", "CABLE"]] = None
    """Clase del instrumento: en pesos, o en dólares que se pagan en la Argentina (`MEP`) o en el exterior
    (`CABLE`). Ausente si no tiene otras clases. Solo si se pidió en `campos`.
    """

    emisor: Optional[str] = None
    """Quién emitió el instrumento, si no es lo que dice su nombre. Ausente si no se conoce. Solo si se
    pidió en `campos`.
    """

    ley: Optional[Literal["AR", "NY"]] = None
    """Ley de la emisión de un bono o una letra: argentina o de Nueva York. Ausente si no se conoce. Solo
    si se pidió en `campos`.
    """

    monedaPagos: Optional[str] = None
    """Moneda de los pagos de un bono o una letra, la misma para todas sus clases. Ausente si no se conocen
    sus condiciones de emisión. Solo si se pidió en `campos`.
    """

    opcion: Optional[str] = None
    """Opción del emisor o del tenedor de un bono. Las cifras de `/bonos` no la valúan. Solo si se pidió en
    `campos`.
    """

    terminos: Optional[str] = None
    """Si las condiciones de emisión son seguras: `verificado`, o la duda. Ausente si nadie lo indicó. Solo
    si se pidió en `campos`.
    """

    terminosRevisados: Optional[str] = None
    """Día en el que las condiciones de emisión se compararon por última vez con sus fuentes. Solo si se
    pidió en `campos`.
    """

    terminosFuentes: Optional[str] = None
    """Fuentes de las condiciones de emisión. Solo si se pidió en `campos`."""

    vencimiento: Optional[str] = None
    """Vencimiento contractual de un bono o una letra. Ausente si no se conoce. Solo si se pidió en
    `campos`.
    """

    titulo: Optional[str] = None
    """Especie bajo la que están las condiciones de emisión: la misma para todas las clases de un título.
    Ausente, como los campos que siguen, si no se conocen. Solo si se pidió en `campos`.
    """

    emision: Optional[str] = None
    """Primer día de devengamiento. Solo si se pidió en `campos`."""

    frecuencia: Optional[int] = None
    """Meses entre dos cupones. Ausente si los cupones no son regulares. Solo si se pidió en `campos`."""

    primerCupon: Optional[str] = None
    """Fecha del primer cupón, si son regulares. Solo si se pidió en `campos`."""

    fechasCupon: Optional[str] = None
    """Fechas de todos los cupones, separadas por espacios, si no son regulares. Solo si se pidió en
    `campos`.
    """

    tasa: Optional[str] = None
    """Tasas anuales fijas, en por ciento, cada una desde su fecha: `2021-07-09=0.5;2023-07-09=0.75`. Solo
    si se pidió en `campos`.
    """

    conteoDias: Optional[Literal["30/360", "act/365", "act/360"]] = None
    """Conteo de días del cupón. Solo si se pidió en `campos`."""

    amortizacion: Optional[str] = None
    """Amortizaciones, en por ciento del valor nominal original: en una fecha, o en cada fecha de cupón de
    un rango (`2024-07-09=4;2025-01-09/2030-07-09=8`). Solo si se pidió en `campos`.
    """

    indice: Optional[Literal["CER", "UVA", "A3500", "TAMAR", "BADLAR"]] = None
    """Índice por el que ajusta, o tasa del cupón variable. Solo si se pidió en `campos`."""

    rezago: Optional[int] = None
    """Días de liquidación por los que el índice precede a la liquidación. Solo si se pidió en `campos`."""

    baseIndice: Optional[float] = None
    """Valor del índice a la emisión. Solo si se pidió en `campos`."""

    margen: Optional[float] = None
    """Puntos de un cupón variable sobre la tasa. Solo si se pidió en `campos`."""

    factor: Optional[float] = None
    """Interés capitalizado en el capital: 1.27 si 100 nominales deben 127, y 1 si no hubo. Solo si se
    pidió en `campos`.
    """

    tem: Optional[float] = None
    """Tasa mensual de una LECAP o un BONCAP, en por ciento. Solo si se pidió en `campos`."""

    dual: Optional[Literal["max"]] = None
    """Si paga la mejor de `tem` y una tasa variable. Solo si se pidió en `campos`."""

    ajusteFecha: Optional[Literal["siguiente"]] = None
    """Si un pago en un día sin rueda se hace en la rueda siguiente. Solo si se pidió en `campos`."""

    FIELDS = ("especie", "nombre", "tipo", "mercado", "moneda", "decimales", "unidadVariacion", "ratio", "subyacente", "fuente", "demoraMinutos", "atrasada", "precioPor", "isin", "base", "clase", "emisor", "ley", "monedaPagos", "opcion", "terminos", "terminosRevisados", "terminosFuentes", "vencimiento", "titulo", "emision", "frecuencia", "primerCupon", "fechasCupon", "tasa", "conteoDias", "amortizacion", "indice", "rezago", "baseIndice", "margen", "factor", "tem", "dual", "ajusteFecha",)


@dataclass(frozen=True)
class Feriado(Row):
    """"""

    fecha: str

    nombre: str

    FIELDS = ("fecha", "nombre",)


@dataclass(frozen=True)
class HorarioDeMercado(Row):
    """Estado, horario y feriados de un mercado."""

    mercado: str
    """Código del mercado, como en `/especies.json`."""

    nombre: str

    zona: str
    """Zona horaria del mercado, con el nombre de la base de datos de la IANA."""

    estado: Literal["abierto", "cerrado"]
    """`abierto` desde la apertura hasta el instante anterior al cierre. Un mercado que opera todo el día
    está abierto todas las horas de sus días hábiles.
    """

    rueda: str
    """Fecha de la rueda en curso o, con el mercado cerrado, de la última rueda que abrió, en la zona del
    mercado.
    """

    abre: str
    """Hora de apertura de `rueda`, en hora local del mercado."""

    cierra: str
    """Hora de cierre de `rueda`, en hora local del mercado. Contempla los cierres anticipados. `24:00` es
    el fin del día.
    """

    cambia: str
    """Próximo instante en que cambia `estado` o `rueda`, con la diferencia horaria del mercado: el cierre
    o, con el mercado cerrado, la próxima apertura. En un mercado que opera todo el día es la
    medianoche, cuando empieza otra rueda o cierra.
    """

    feriados: List[Feriado]
    """Feriados del año, o de todos los años si se pidió `anio=todos`, en orden de fecha, según el
    calendario cargado. Los días de la semana en que el mercado nunca opera no son feriados. Está vacío
    si el mercado no tiene feriados o si el calendario no contempla ese año. En CSV es una celda, con
    los feriados separados por punto y coma.
    """

    dias: Optional[str] = None
    """Días de la semana en que opera, de 1 (lunes) a 7 (domingo), separados por espacios. Solo si se pidió
    en `campos`.
    """

    horarios: Optional[str] = None
    """Horarios en hora local, en orden, cada uno desde su fecha; el primero, desde siempre:
    `11:00-17:00;2025-07-28=10:30-17:00`. Solo si se pidió en `campos`.
    """

    cierresAnticipados: Optional[str] = None
    """Días en que cierra antes, con la hora local: `2026-12-24=13:00;2026-12-31=13:00`. Vacío si no hay.
    Solo si se pidió en `campos`.
    """

    sinLiquidacion: Optional[List[str]] = None
    """Días del año en que opera y no liquida, porque sus bancos están cerrados, en orden de fecha. Solo si
    se pidió `liquidacion` en `campos`.
    """

    FIELDS = ("mercado", "nombre", "zona", "estado", "rueda", "abre", "cierra", "cambia", "feriados", "dias", "horarios", "cierresAnticipados", "sinLiquidacion",)


    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "HorarioDeMercado":
        inner = dict(values)
        inner["feriados"] = [Feriado.from_json(one) for one in values.get("feriados", ())]
        return super().from_json(inner)


@dataclass(frozen=True)
class CifrasDeBono(Row):
    """Cifras de un bono a un precio, según una convención."""

    especie: str
    """Especie del instrumento."""

    fecha: str
    """Fecha de la cotización. Con `precio`, la de hoy."""

    liquidacion: str
    """Fecha de liquidación."""

    moneda: str
    """Moneda del precio."""

    vencimiento: str
    """Vencimiento contractual."""

    estado: Literal["ok", "no-emitido", "vencido", "sin-indice", "sin-cambio", "sin-solucion", "precio-dudoso"]
    """`ok`, o por qué faltan cifras: la liquidación es anterior a la emisión, el bono venció, falta el
    valor del índice o el dólar, ninguna tasa da ese precio, o el precio no puede ser el de 100
    nominales (paridad menor que 5 % o mayor que 200 %).
    """

    hora: Optional[str] = None
    """Hora de la cotización, en Buenos Aires. `null` con `precio`, y si no se conoce."""

    precio: Optional[float] = None
    """Precio usado, en la forma de la convención, cada 100 de valor nominal."""

    tipoCambio: Optional[float] = None
    """Pesos por dólar con los que se convirtió el precio. `null` si no se convirtió."""

    tir: Optional[float] = None
    """Tasa interna de retorno anual, en por ciento, capitalizada como dice la convención."""

    tna: Optional[float] = None
    """Tasa nominal anual, en por ciento. Con un solo pago pendiente es la tasa simple."""

    tem: Optional[float] = None
    """Tasa efectiva mensual, en por ciento."""

    duration: Optional[float] = None
    """Duration de Macaulay, en años."""

    durationModificada: Optional[float] = None
    """Duration modificada, en años."""

    convexidad: Optional[float] = None
    """Convexidad, en años al cuadrado."""

    valorTecnico: Optional[float] = None
    """Capital residual con los intereses corridos, multiplicado por el índice, en la moneda de los flujos."""

    interesesCorridos: Optional[float] = None
    """Intereses corridos, multiplicados por el índice, en la moneda de los flujos."""

    residual: Optional[float] = None
    """Capital residual, en por ciento del valor nominal original."""

    paridad: Optional[float] = None
    """Precio dividido por el valor técnico, o por lo que diga la convención, en por ciento."""

    indice: Optional[str] = None
    """Índice por el que ajusta. `null` si no ajusta."""

    fechaIndice: Optional[str] = None
    """Día del índice que corresponde a la liquidación, AAAA-MM-DD."""

    valorIndice: Optional[float] = None
    """Valor del índice en ese día. `null` si no se conoce."""

    supuesto: Optional[str] = None
    """Lo que las cifras suponen: `pata fija`, `sin opciones`, `terminos en duda`. Si son varios, están
    separados por «; ».
    """

    FIELDS = ("especie", "fecha", "hora", "liquidacion", "precio", "moneda", "tipoCambio", "tir", "tna", "tem", "duration", "durationModificada", "convexidad", "valorTecnico", "interesesCorridos", "residual", "paridad", "vencimiento", "indice", "fechaIndice", "valorIndice", "supuesto", "estado",)


@dataclass(frozen=True)
class CifrasDeCierre(Row):
    """Cifras de un bono al cierre de una rueda."""

    especie: str
    """Especie del instrumento."""

    fecha: str
    """Fecha de la rueda."""

    liquidacion: str
    """Fecha de liquidación."""

    estado: Literal["ok", "no-emitido", "vencido", "sin-indice", "sin-cambio", "sin-solucion", "precio-dudoso"]
    """`ok`, o por qué faltan cifras: la liquidación es anterior a la emisión, el bono venció, falta el
    valor del índice o el dólar, ninguna tasa da ese precio, o el precio no puede ser el de 100
    nominales (paridad menor que 5 % o mayor que 200 %).
    """

    precio: Optional[float] = None
    """Precio usado, en la forma de la convención, cada 100 de valor nominal."""

    tir: Optional[float] = None
    """Tasa interna de retorno anual, en por ciento, capitalizada como dice la convención."""

    tna: Optional[float] = None
    """Tasa nominal anual, en por ciento. Con un solo pago pendiente es la tasa simple."""

    tem: Optional[float] = None
    """Tasa efectiva mensual, en por ciento."""

    durationModificada: Optional[float] = None
    """Duration modificada, en años."""

    paridad: Optional[float] = None
    """Precio dividido por el valor técnico, o por lo que diga la convención, en por ciento."""

    valorTecnico: Optional[float] = None
    """Capital residual con los intereses corridos, multiplicado por el índice, en la moneda de los flujos."""

    diferencia: Optional[float] = None
    """TIR de la especie menos la de `contra` en la misma rueda, en puntos. `null` si falta una de las dos.
    Solo con `contra`.
    """

    FIELDS = ("especie", "fecha", "liquidacion", "precio", "tir", "tna", "tem", "durationModificada", "paridad", "valorTecnico", "estado", "diferencia",)


@dataclass(frozen=True)
class FlujoDeBono(Row):
    """Un pago de un bono, cada 100 de valor nominal original."""

    fecha: str
    """Fecha contractual."""

    pago: str
    """Día del pago, en que el mercado liquida."""

    amortizacion: float
    """Amortización."""

    residual: float
    """Capital residual después del pago, en por ciento del valor nominal original."""

    interes: Optional[float] = None
    """Interés. `null` si su tasa todavía no se conoce."""

    total: Optional[float] = None
    """Interés más amortización. `null` si no se conoce el interés."""

    ajustado: Optional[float] = None
    """Total multiplicado por el índice. `null` si falta el índice o el total."""

    FIELDS = ("fecha", "pago", "interes", "amortizacion", "total", "residual", "ajustado",)


@dataclass(frozen=True)
class PrecioDelDolar(Row):
    """Un precio del dólar en pesos, o el canje en por ciento, con su cálculo."""

    dolar: Dolar

    base: str
    """La especie en pesos de la que se obtiene el precio (`AL30`, `SPY`), el mercado que lo publica
    (`BCRA`), o `CEDEARS` para la mediana.
    """

    fecha: str
    """Fecha de la rueda de las cotizaciones."""

    calculo: Literal["publicado", "implicito", "cedear", "mediana"]
    """`publicado` si lo informa una fuente, `implicito` si es un cociente de dos especies, `cedear` si es
    el de un CEDEAR con su subyacente, `mediana` si es la de los CEDEARs.
    """

    estado: str
    """`ok`; `precio-dudoso` si los demás precios lo contradicen, y entonces no tiene precios; o `atrasada`
    y la especie cuyo precio es más de 15 minutos anterior al otro (`atrasada AL30D`).
    """

    compra: Optional[float] = None
    """Precio al que se puede vender, según las puntas. `null` si falta alguna."""

    venta: Optional[float] = None
    """Precio al que se puede comprar, según las puntas. `null` si falta alguna."""

    ultimo: Optional[float] = None
    """Precio según los últimos precios operados, con 4 decimales como máximo. `null` si `estado` es
    `precio-dudoso`.
    """

    brecha: Optional[float] = None
    """Diferencia con el dólar mayorista, en por ciento. `null` para el canje, y si no hay un dólar
    mayorista de la misma rueda o de la anterior.
    """

    hora: Optional[str] = None
    """Hora de la más antigua de las dos cotizaciones, en Buenos Aires. `null` si no se conoce."""

    numerador: Optional[str] = None
    """La especie del numerador, o la que publica el precio. `null` para la mediana."""

    denominador: Optional[str] = None
    """La especie del denominador. `null` si no hay."""

    FIELDS = ("dolar", "base", "compra", "venta", "ultimo", "brecha", "fecha", "hora", "calculo", "numerador", "denominador", "estado",)


@dataclass(frozen=True)
class Estado(Row):
    """Estado del proceso y de los mercados."""

    estado: Literal["ok", "atrasado"]
    """`atrasado`, con el código 503, si este nodo no puede leer la base de datos y otro nodo sí."""

    instancia: str
    """Identificador del servicio en ejecución. Es un valor aleatorio, distinto en cada inicio e igual en
    todos sus procesos.
    """

    datos: Literal["reales", "simulados"]
    """Indica si los precios son reales o de una demostración. En una demostración, todas las respuestas
    llevan además el encabezado `Data-Source: simulated`, y todos los mercados están abiertos todos los
    días, de 00:00 a 24:00 de Buenos Aires.
    """

    ahora: str
    """Hora del servicio. Durante la reproducción de una grabación, hora de la grabación."""

    mercados: List[Mercado]

    edadMs: Optional[int] = None
    """Milisegundos desde la última confirmación de las cotizaciones por la base de datos. Solo en un
    servicio de varios nodos. Crece mientras la base de datos no responde.
    """

    sinFuentes: Optional[Literal["nombre", "conexion", "demora", "certificado", "rechazo", "limite", "pedido", "servidor", "formato", "programa"]] = None
    """Presente si ninguna de las fuentes de precios configuradas responde. Es el motivo más frecuente: no
    se encuentra su nombre en la red, no hay conexión, no responden a tiempo, su certificado no es
    válido, rechazan el acceso, limitan los pedidos, no aceptan el pedido, tienen una falla propia, su
    formato no es el conocido, o hay un defecto del programa. Solo lo indica el nodo que lee las
    fuentes.
    """

    fuentesAtrasadas: Optional[List[FuenteAtrasada]] = None
    """Las fuentes configuradas que no envían datos desde hace más tiempo que su límite mientras uno de sus
    mercados está abierto, también las que envían sus precios por sí mismas. Ausente si no hay ninguna.
    `/especies.json` indica sus instrumentos con `atrasada`. Solo lo indica el nodo que lee las fuentes.
    """

    FIELDS = ("estado", "instancia", "datos", "ahora", "edadMs", "sinFuentes", "fuentesAtrasadas", "mercados",)


    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Estado":
        inner = dict(values)
        if "fuentesAtrasadas" in values:
            inner["fuentesAtrasadas"] = [FuenteAtrasada.from_json(one) for one in values.get("fuentesAtrasadas", ())]
        inner["mercados"] = [Mercado.from_json(one) for one in values.get("mercados", ())]
        return super().from_json(inner)


@dataclass(frozen=True)
class FuenteAtrasada(Row):
    """Una fuente que no envía datos mientras uno de sus mercados está abierto."""

    fuente: str
    """Nombre de la fuente, como en `/especies.json`."""

    mercados: List[str]
    """Códigos de sus mercados que están abiertos."""

    desde: Optional[str] = None
    """Instante de su último precio. Null si no dio ninguno."""

    FIELDS = ("fuente", "mercados", "desde",)


@dataclass(frozen=True)
class Mercado(Row):
    """Estado de la rueda de un mercado."""

    codigo: str

    nombre: str

    estado: Literal["abierto", "cerrado"]

    rueda: str
    """Fecha de la rueda en curso o, con el mercado cerrado, de la última rueda."""

    cambia: str
    """Instante del cierre o, con el mercado cerrado, de la próxima apertura."""

    FIELDS = ("codigo", "nombre", "estado", "rueda", "cambia",)


# Evento corporativo. `tipo` indica los demás campos.
Evento = Union[CambioDeUnidades, CambioDeValor, DividendoEnEfectivo, CambioDeTicker]


def evento_from_json(values: Mapping[str, Any]) -> Evento:
    """The row of an event, by its `tipo`."""
    for kind in (CambioDeUnidades, CambioDeValor, DividendoEnEfectivo, CambioDeTicker):
        if values.get("tipo") in kind.TIPOS:
            return kind.from_json(values)
    raise ValueError("unknown tipo: {!r}".format(values.get("tipo")))


# The names of fields that are numbers, and those that are dates, in every row that has them.
NUMBERS = frozenset(("ultimo", "variacion", "anterior", "apertura", "minimo", "maximo", "varMTD", "varYTD", "volumen", "compra", "venta", "cantCompra", "cantVenta", "monto", "operaciones", "pasoMinutos", "factor", "importe", "valor", "decimales", "demoraMinutos", "precioPor", "frecuencia", "rezago", "baseIndice", "margen", "tem", "precio", "tipoCambio", "tir", "tna", "duration", "durationModificada", "convexidad", "valorTecnico", "interesesCorridos", "residual", "paridad", "valorIndice", "diferencia", "interes", "total", "ajustado", "brecha", "edadMs"))
DATES = frozenset(("fecha", "hasta", "terminosRevisados", "vencimiento", "emision", "primerCupon", "rueda", "liquidacion", "pago"))

# The query parameters of each path.
PARAMETERS: Mapping[str, Tuple[str, ...]] = {
    "/cotizaciones": ("especie", "panel", "campos", "moneda", "dolar",),
    "/ranking": ("panel", "por", "orden", "limite", "campos",),
    "/cotizaciones/stream": ("especie", "panel", "campos", "barras", "latido",),
    "/historicos": ("especie", "desde", "hasta", "forma", "panel", "campo", "ajuste", "intervalo", "moneda", "dolar", "campos", "conocido",),
    "/eventos": ("especie", "desde", "hasta", "forma", "conocido",),
    "/cambios": ("especie", "indice", "desde", "hasta",),
    "/indices": ("indice", "desde", "hasta",),
    "/intradiarios": ("especie", "desde", "hasta", "intervalo", "campos",),
    "/recorridos": ("especie", "panel",),
    "/especies.txt": ("panel",),
    "/especies.json": ("especie", "panel", "buscar", "campos",),
    "/mercados": ("anio", "campos",),
    "/bonos": ("especie", "panel", "convencion", "plazo", "dolar", "precio",),
    "/bonos/historicos": ("especie", "desde", "hasta", "convencion", "plazo", "dolar", "intervalo", "contra",),
    "/bonos/flujos": ("especie", "desde", "plazo",),
    "/dolares": ("dolar", "base",),
}

# The fields that `campos` adds to the rows of each path.
REQUESTED: Mapping[str, Tuple[str, ...]] = {
    "/cotizaciones": get_args(CampoDeCotizacion),
    "/ranking": get_args(CampoDeCotizacion),
    "/cotizaciones/stream": get_args(CampoDeCotizacion),
    "/historicos": get_args(CampoDeHistorico),
    "/intradiarios": get_args(CampoDeBarra),
    "/especies.json": get_args(CampoDeInstrumento),
    "/mercados": get_args(CampoDeMercado),
}

# The paths of tables.
TABLES = ("/cotizaciones", "/ranking", "/historicos", "/eventos", "/cambios", "/indices", "/intradiarios", "/especies.json", "/mercados", "/bonos", "/bonos/historicos", "/bonos/flujos", "/dolares")

# The rows of the tables that have one kind of them.
ROWS: Mapping[str, Type[Row]] = {
    "/cotizaciones": Cotizacion,
    "/ranking": Cotizacion,
    "/intradiarios": Barra,
    "/especies.json": Instrumento,
    "/mercados": HorarioDeMercado,
    "/bonos": CifrasDeBono,
    "/bonos/historicos": CifrasDeCierre,
    "/bonos/flujos": FlujoDeBono,
    "/dolares": PrecioDelDolar,
}
