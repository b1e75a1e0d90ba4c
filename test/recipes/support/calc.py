"""Drives a LibreOffice Calc without a screen, for calc.ts: reads a request in JSON from each line of the
standard input, and writes the result in JSON to a line of the standard output. Ends with its input."""

import json
import os
import subprocess
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.table import CellAddress

CSV = "Text - txt - csv (StarCalc)"
DATE = 2  # com.sun.star.util.NumberFormat.DATE
START_SECONDS_MAX = 200

SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>es-AR</value></prop></item>
<item oor:path="/org.openoffice.Office.Linguistic/General">
<prop oor:name="UILocale" oor:op="fuse"><value>es</value></prop></item>
</oor:items>
"""


def start(directory):
    """Starts an office with a profile of its own, in Spanish, with the locale of Argentina."""
    os.makedirs(directory + "/profile/user")
    with open(directory + "/profile/user/registrymodifications.xcu", "w") as settings:
        settings.write(SETTINGS)
    pipe = "pipe,name=pizarra%d;urp;" % os.getpid()
    process = subprocess.Popen(
        ["soffice", "-env:UserInstallation=file://%s/profile" % directory, "--headless",
         "--norestore", "--nologo", "--accept=" + pipe],
        stdin=subprocess.DEVNULL, stdout=sys.stderr)
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    give_up_at = time.monotonic() + START_SECONDS_MAX
    while True:
        try:
            context = resolver.resolve("uno:" + pipe + "StarOffice.ComponentContext")
            return process, context.ServiceManager
        except Exception:
            if process.poll() is not None or time.monotonic() > give_up_at:
                raise
            time.sleep(0.1)


def properties(**values):
    result = []
    for name, value in values.items():
        one = PropertyValue()
        one.Name, one.Value = name, value
        result.append(one)
    return tuple(result)


class Calc:
    def __init__(self, services):
        self.services = services
        self.desktop = services.createInstance("com.sun.star.frame.Desktop")
        self.functions = services.createInstance("com.sun.star.sheet.FunctionAccess")
        self.document = None
        self.open("private:factory/scalc")

    def open(self, url, **options):
        """Opens a document in place of the one before, whose links would go on requesting."""
        if self.document is not None:
            self.document.close(True)
        self.document = self.desktop.loadComponentFromURL(url, "_blank", 0, properties(**options))
        self.sheet = self.document.Sheets.getByIndex(0)

    def function(self, name, args):
        return self.functions.callFunction(name, tuple(args))

    def type_in(self, address, formula, english=False):
        """Enters a text as a person does."""
        cell = self.sheet.getCellRangeByName(address)
        if english:
            cell.Formula = formula
        else:
            cell.FormulaLocal = formula
        return self.shown(cell)

    def read(self, address):
        return self.shown(self.sheet.getCellRangeByName(address))

    def shown(self, cell):
        kind = cell.Type.value
        is_number = cell.Error == 0 and (
            kind == "VALUE" or kind == "FORMULA" and cell.FormulaResultType2 == 1)
        formats = self.document.NumberFormats.getByKey(cell.NumberFormat)
        return {
            "text": cell.String,
            "error": cell.Error,
            "number": cell.Value if is_number else None,
            "isDate": is_number and bool(formats.Type & DATE),
        }

    def read_range(self, address):
        rows = self.sheet.getCellRangeByName(address).getRangeAddress()
        return [[self.shown(self.sheet.getCellByPosition(column, row))
                 for column in range(rows.StartColumn, rows.EndColumn + 1)]
                for row in range(rows.StartRow, rows.EndRow + 1)]

    def read_values(self, address):
        """The numbers and texts of many cells at once. A date is its number of days."""
        return self.sheet.getCellRangeByName(address).getDataArray()

    def write_values(self, rows):
        """Writes numbers and texts from A1 on."""
        area = self.sheet.getCellRangeByPosition(0, 0, len(rows[0]) - 1, len(rows) - 1)
        area.setDataArray(tuple(tuple(row) for row in rows))

    def recalculate(self):
        """As Ctrl+Shift+F9."""
        self.document.calculateAll()

    def link(self, url, options, seconds=60):
        """As Sheet, External Links, at the cell A1. LibreOffice finds the filter by itself."""
        at = CellAddress()
        self.document.AreaLinks.insertAtPosition(at, url, "CSV_all", "", options)
        made = self.document.AreaLinks.getByIndex(self.document.AreaLinks.Count - 1)
        made.RefreshPeriod = seconds
        return made.Filter

    def refresh(self):
        """What LibreOffice does when the time of a link has come."""
        self.document.AreaLinks.getByIndex(0).refresh()

    def import_csv(self, path, options):
        self.open("file://" + path, FilterName=CSV, FilterOptions=options)

    def save_and_open(self, path):
        """As a flat file, which has the same contents as .ods in one XML."""
        self.document.storeToURL("file://" + path, properties(FilterName="OpenDocument Spreadsheet Flat XML"))
        self.open("file://" + path)


def main():
    process, services = start(sys.argv[1])
    try:
        calc = Calc(services)
        for line in sys.stdin:
            request = json.loads(line)
            result = getattr(calc, request.pop("do"))(**request)
            print(json.dumps({"result": result}), flush=True)
    finally:
        try:
            calc.desktop.terminate()
        except Exception:
            pass
        process.wait(60)


main()
