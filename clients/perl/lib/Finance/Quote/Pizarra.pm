package Finance::Quote::Pizarra;

use 5.014;
use strict;
use warnings;
use utf8;

use HTTP::Message;
use HTTP::Request;
use JSON::PP;
use Math::BigFloat;
use URI::Escape qw( uri_escape_utf8 );

our $VERSION = '0.1.0';

our $DISPLAY = 'Pizarra';

our @LABELS = qw/symbol name last open high low close p_change volume currency date isodate exchange method/;

our $FEATURES = {
    URL      => 'address of the service',
    API_KEY  => 'key of the service',
    KEY_FILE => 'file with the key of the service',
    PER_UNIT => '1 for the price of one unit, also for bonds',
};

our $METHODHASH = {
    subroutine => \&pizarra,
    display    => $DISPLAY,
    labels     => \@LABELS,
    features   => $FEATURES,
};

# The service accepts 500 tickers in one request, unless its operator has set another maximum.
my $SYMBOLS_MAX = 200;

# The instruments of a service by their tickers. They are requested once, because their prices are not in them.
my %INSTRUMENTS;

# Finance::Quote reads methods and labels; its later versions also read methodinfo.
sub methodinfo {
    return ( pizarra => $METHODHASH );
}

sub methods {
    return ( pizarra => \&pizarra );
}

sub labels {
    return ( pizarra => \@LABELS );
}

# The prices that Finance::Quote converts if a program asks for another currency.
sub currency_fields {
    return qw/last open high low close/;
}

sub pizarra {
    my ( $quoter, @symbols ) = @_;
    my %info;
    while ( my @batch = splice @symbols, 0, $SYMBOLS_MAX ) {
        # A handler of the program must not see the failures that become an errormsg.
        local ( $@, $SIG{__DIE__} );
        next if eval { _add_quotes( $quoter, \%info, @batch ); 1 };
        _fail( \%info, $_, $@ ) for @batch;
    }
    return wantarray ? %info : \%info;
}

# Adds the quotes of some symbols. Dies with a text in Spanish if the service gave none at all.
sub _add_quotes {
    my ( $quoter, $info, @symbols ) = @_;
    my $service = _service($quoter);
    my %ticker = map { $_ => _ticker($_) } @symbols;
    my %is_asked = map { $_ => 1 } grep { _can_be_asked($_) } values %ticker;
    my %quote;
    if (%is_asked) {
        my $list = join ',', map { uri_escape_utf8($_) } sort keys %is_asked;
        %quote = map { uc $_->{especie} => $_ } @{ _get( $service, "/cotizaciones?especie=$list" ) };
    }
    my $instruments = _instruments( $service, keys %quote );
    for my $symbol (@symbols) {
        my $ticker     = $ticker{$symbol};
        my $instrument = $instruments->{$ticker};
        my $refusal    = _refusal( $quoter, $ticker, $instrument, $quote{$ticker} );
        if   ( defined $refusal ) { _fail( $info, $symbol, $refusal ) }
        else                      { _add( $service, $info, $symbol, $instrument, $quote{$ticker} ) }
    }
    return;
}

# Why the price of an instrument cannot be used.
sub _refusal {
    my ( $quoter, $ticker, $instrument, $quote ) = @_;
    return "La especie «$ticker» no existe." if !defined $instrument;
    my $unit = $instrument->{moneda};
    my $text = "«$ticker» se expresa en «$unit», que no es una moneda de la norma ISO 4217";
    return "$text: no es un precio." if !_is_currency( $quoter, $unit );
    return "La especie «$ticker» no tiene cotización." if !defined $quote || !defined $quote->{ultimo};
    return;
}

sub _add {
    my ( $service, $info, $symbol, $instrument, $quote ) = @_;
    my %price = ( last => 'ultimo', open => 'apertura', high => 'maximo', low => 'minimo', close => 'anterior' );
    my $per = $service->{is_per_unit} ? $instrument->{precioPor} : 1;
    for my $label ( keys %price ) {
        my $price = $quote->{ $price{$label} };
        $info->{ $symbol, $label } = _digits( $price, $per ) if defined $price;
    }
    my $is_percent = $instrument->{unidadVariacion} eq 'por-ciento';
    $info->{ $symbol, 'p_change' } = _digits( $quote->{variacion} ) if $is_percent && defined $quote->{variacion};
    $info->{ $symbol, 'volume' }   = _digits( $quote->{volumen} ) if defined $quote->{volumen};
    $info->{ $symbol, 'symbol' }   = $quote->{especie};
    $info->{ $symbol, 'name' }     = $instrument->{nombre};
    $info->{ $symbol, 'exchange' } = $instrument->{mercado};
    $info->{ $symbol, 'currency' } = $instrument->{moneda};
    $info->{ $symbol, 'currency_set_by_fq' } = 1;
    $info->{ $symbol, 'method' } = 'pizarra';
    $service->{quoter}->store_date( $info, $symbol, { isodate => $quote->{fecha} } );
    $info->{ $symbol, 'success' } = 1;
    return;
}

sub _fail {
    my ( $info, $symbol, $text ) = @_;
    chomp $text;
    $info->{ $symbol, 'success' } = 0;
    # Perl prints a text with a character above U+00FF, such as this dash, as UTF-8 also where the program has
    # chosen no encoding. Without it, the accents would be Latin-1.
    $info->{ $symbol, 'errormsg' } = "Pizarra – $text";
    return;
}

# A price in decimal digits, as the service writes it, for so many units.
sub _digits {
    my ( $number, $per ) = @_;
    my $exact = Math::BigFloat->new("$number");
    scalar $exact->bdiv($per) if defined $per && $per != 1;
    return $exact->bstr;
}

# The ticker in the spelling of the service: in upper case, with single spaces. KMyMoney quotes a symbol that has
# a space as for a shell, but runs no shell.
sub _ticker {
    my ($symbol) = @_;
    my $ticker = $symbol;
    utf8::decode($ticker) if !utf8::is_utf8($ticker);
    $ticker =~ s/\A'(.*)'\z/$1/s;
    $ticker =~ s/\A\s+|\s+\z//g;
    $ticker =~ s/\s+/ /g;
    return uc $ticker;
}

# A comma would separate two tickers.
sub _can_be_asked {
    my ($ticker) = @_;
    return $ticker ne '' && $ticker !~ /,/;
}

sub _is_currency {
    my ( $quoter, $unit ) = @_;
    require Finance::Quote::Currencies;
    return exists $quoter->currency_lookup()->{$unit};
}

# The instruments, requested again when a quote is of one that is not among them.
sub _instruments {
    my ( $service, @tickers ) = @_;
    my $known = $INSTRUMENTS{ $service->{url} };
    return $known if defined $known && !grep { !exists $known->{$_} } @tickers;
    my $rows = _get( $service, '/especies.json?campos=precioPor' );
    return $INSTRUMENTS{ $service->{url} } = { map { uc $_->{especie} => $_ } @$rows };
}

# The settings of the program, else those of the environment.
sub _service {
    my ($quoter) = @_;
    my $given = $quoter->{module_specific_data}{pizarra} || {};
    my $setting = sub {
        my ( $name, $variable ) = @_;
        my $value = $given->{$name} // $ENV{$variable} // '';
        return $value eq '' ? undef : $value;
    };
    my $url = $setting->( 'URL', 'PIZARRA_URL' ) // 'http://127.0.0.1:8080';
    $url =~ s{/+\z}{};
    # The text does not repeat an address that may contain a password.
    $url =~ m{\Ahttps?://[^/?\#\@\s]+(?:/[^?\#\@\s]*)?\z}
        or die "La dirección del servicio (PIZARRA_URL) debe ser como https://cotizaciones.example.com/v5.\n";
    $url =~ m{\Ahttps:} || $url =~ m{\Ahttp://(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:/|\z)}i
        or die "Por HTTP sin cifrar, la clave quedaría expuesta en la red. La dirección del servicio (PIZARRA_URL) debe empezar con https://.\n";
    my $file = $setting->( 'KEY_FILE', 'PIZARRA_KEY_FILE' );
    my $key = $setting->( 'API_KEY', 'PIZARRA_KEY' ) // ( defined $file ? _key_in($file) : undef );
    defined $key
        or die "Falta la clave. Indicar en PIZARRA_KEY_FILE el archivo que la contiene, o la clave en PIZARRA_KEY.\n";
    $key =~ /\A[\x21-\x7e]+\z/ or die "La clave tiene espacios o caracteres que ninguna clave tiene.\n";
    my $is_per_unit = ( $setting->( 'PER_UNIT', 'PIZARRA_PER_UNIT' ) // 0 ) eq '1';
    return { quoter => $quoter, url => $url, key => $key, is_per_unit => $is_per_unit };
}

# The key in a file: alone, or as the header that `curl -H @file` sends.
sub _key_in {
    my ($file) = @_;
    open my $handle, '<', $file or die "No se pudo leer el archivo de la clave $file ($!).\n";
    my $line = <$handle> // '';
    close $handle;
    $line =~ s/\A\s*(?:Authorization:\s*Bearer\s+)?|\s+\z//gi;
    $line ne '' or die "El archivo de la clave $file está vacío.\n";
    return $line;
}

# The rows of a path. Dies with a text in Spanish if the service gives none.
sub _get {
    my ( $service, $target ) = @_;
    my $request = HTTP::Request->new( GET => $service->{url} . $target );
    $request->header(
        'Accept'          => 'application/json',
        'Accept-Encoding' => scalar HTTP::Message::decodable(),
        'Authorization'   => "Bearer $service->{key}",
        'User-Agent'      => "Finance-Quote-Pizarra/$VERSION",
    );
    # A redirection is not followed: it would take the key to another address.
    my $agent = $service->{quoter}->user_agent;
    # A proxy of the environment would get the key in plain text.
    $agent->no_proxy( $request->uri->host ) if $request->uri->scheme eq 'http';
    my $response = $agent->simple_request($request);
    if ( ( $response->header('Client-Warning') // '' ) eq 'Internal response' ) {
        my $cause = $response->message;
        die "No se pudo conectar con $service->{url} ($cause).\n";
    }
    my $body = eval { _parsed( $response->decoded_content( charset => 'none' ) ) };
    return $body if $response->code == 200 && ref $body eq 'ARRAY';
    die "$body->{error}\n" if ref $body eq 'HASH' && defined $body->{error} && $response->code >= 400;
    my $status = $response->status_line;
    die "$service->{url} no respondió como Pizarra ($status). Comprobar PIZARRA_URL.\n";
}

# Numbers with decimals become Math::BigFloat, which has all digits of the text and no others.
sub _parsed {
    my ($bytes) = @_;
    return JSON::PP->new->utf8->allow_bignum->decode($bytes);
}

1;

__END__

=encoding utf8

=head1 NAME

Finance::Quote::Pizarra - Obtain quotes from a Pizarra market quotes service

=head1 SYNOPSIS

    use Finance::Quote;

    my $quoter = Finance::Quote->new('Pizarra');
    my %quotes = $quoter->fetch('pizarra', 'GGAL', 'AL30', 'DOLAR MEP');
    print $quotes{'GGAL', 'last'}, ' ', $quotes{'GGAL', 'currency'}, "\n";

=head1 DESCRIPTION

This module gives GnuCash, KMyMoney and other users of L<Finance::Quote> the quotes of a Pizarra service, by
the method C<pizarra>. Finance::Quote does not load it by itself. A program that cannot be changed loads it by
the environment:

    export FQ_LOAD_QUOTELET="-defaults Pizarra"

The value must begin with C<-defaults>. Without it, no other source is loaded.

A symbol is a ticker of the service, in any combination of upper and lower case: C<GGAL>, C<DOLAR MEP>,
C<DOLAR/EURO>. All symbols of a call of C<fetch> are one request (200 at most, then another one). The first
call of a program also requests the list of instruments, for their currencies.

=head1 SETTINGS

Each setting is an environment variable, or a member of the hash C<pizarra> that is passed to
C<< Finance::Quote->new >>:

    my $quoter = Finance::Quote->new('Pizarra', pizarra => { URL => $url, KEY_FILE => $file });

=over

=item C<PIZARRA_URL>, C<URL>

The address of the service with its base path, such as C<https://quotes.example/v5>. Default:
C<http://127.0.0.1:8080>. Redirections are not followed, because they would take the key to another address.

=item C<PIZARRA_KEY_FILE>, C<KEY_FILE>

A file whose first line is the key, or the header C<Authorization: Bearer KEY>. The second form is a file that
C<curl -H @FILE> reads too.

=item C<PIZARRA_KEY>, C<API_KEY>

The key itself. It takes precedence over the file. Other programs of the user can read the environment of a
program, so prefer a file that only the user can read.

=item C<PIZARRA_PER_UNIT>, C<PER_UNIT>

With 1, prices are those of one unit. By default they are the prices of the service, and those of bonds are for
100 nominal. See L</"BONDS">.

=back

=head1 LABELS RETURNED

symbol, name, last, open, high, low, close (the previous close), p_change (in percent), volume, currency, date,
isodate, exchange, method. A value that the service does not know is absent. The date is that of the session,
in the market of the instrument. Numbers have exactly the digits that the service sends.

=head1 PRIVACY

The key is sent to the service only. Some versions of Finance::Quote after 1.54 report each C<fetch> to a counter
of their project: the version and the method, not the symbols. C<FQ_NOCOUNT=1> in the environment prevents it.

=head1 BONDS

Bonds, bills and corporate bonds are quoted for 100 nominal: AL30 at 91250.5 is the price of 100. Finance::Quote
has no label for this, and GnuCash multiplies price and quantity. Either record the quantity in hundreds, or set
C<PIZARRA_PER_UNIT=1>, which gives 912.505. The setting has no effect on other instruments.

=head1 FAILURES

If a symbol has no price, its C<success> is 0 and its C<errormsg> says why, in Spanish, as the texts of the
service are:

=over

=item *

The ticker is unknown, or has no quote.

=item *

Its unit is not a currency of ISO 4217: a rate or a spread (C<%>), the country risk (C<bp>), C<USDT>.

=item *

The service refuses the request, for example because the key is not valid (401) or the limit of the key is
exceeded (429). The text is that of the service.

=item *

The service cannot be reached, or something else answers at its address.

=item *

A setting is missing or wrong.

=back

The other symbols of the same call are not affected in the first two cases. The text is a Perl text, not bytes.
A program that prints it without an encoding gets UTF-8, and with C<-w> the warning C<Wide character>.

=head1 LICENSE

Apache License 2.0.

=head1 SEE ALSO

L<Finance::Quote>

=cut
