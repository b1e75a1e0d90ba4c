# The module in Finance::Quote, without a service. The project of the service tests it against a real one.
use 5.014;
use strict;
use warnings;
use utf8;

use File::Temp qw( tempfile );
use IO::Socket::INET;
use Test::More;

use Finance::Quote;

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw( output failure_output todo_output );
delete @ENV{qw( PIZARRA_URL PIZARRA_KEY PIZARRA_KEY_FILE PIZARRA_PER_UNIT FQ_LOAD_QUOTELET http_proxy HTTP_PROXY )};

# A port of this machine on which nothing listens.
my $socket = IO::Socket::INET->new( Listen => 1, LocalAddr => '127.0.0.1' ) or die "no socket: $!";
my $url    = 'http://127.0.0.1:' . $socket->sockport;
close $socket;

sub errormsg_with {
    my (%settings) = @_;
    my $quoter = Finance::Quote->new( 'Pizarra', pizarra => \%settings );
    my %quotes = $quoter->fetch( 'pizarra', 'GGAL' );
    is( $quotes{ 'GGAL', 'success' }, 0, 'success is 0' );
    return $quotes{ 'GGAL', 'errormsg' };
}

sub file_with {
    my ($content) = @_;
    my ( $handle, $path ) = tempfile( UNLINK => 1 );
    print {$handle} $content;
    close $handle;
    return $path;
}

ok( ( grep { $_ eq 'pizarra' } Finance::Quote->new('Pizarra')->sources ), 'the method is registered' );
like( errormsg_with(), qr/^Pizarra – Falta la clave\. Indicar en PIZARRA_KEY_FILE/, 'no key' );
like( errormsg_with( API_KEY => 'pz_a b' ), qr/tiene espacios/, 'a key with a space' );
like( errormsg_with( KEY_FILE => '/no/such/file' ), qr{No se pudo leer .* /no/such/file }, 'no key file' );
like( errormsg_with( KEY_FILE => file_with("\n") ), qr/está vacío/, 'an empty key file' );
for my $content ( "pz_key\n", "Authorization: Bearer pz_key\r\n" ) {
    my $text = errormsg_with( URL => $url, KEY_FILE => file_with($content) );
    like( $text, qr/^Pizarra – No se pudo conectar con \Q$url\E /, "a key file: $content" );
    unlike( $text, qr/pz_key/, 'the text does not have the key' );
}
for my $wrong ( 'localhost:8080', 'https://user:secret@quotes.example', 'https://quotes.example?a=1' ) {
    my $text = errormsg_with( URL => $wrong, API_KEY => 'pz_key' );
    like( $text, qr/PIZARRA_URL/, "an address that is none: $wrong" );
    unlike( $text, qr/secret/, 'the text does not have a password' );
}

for my $host ( 'quotes.example', '10.0.0.7:8080', '127.0.0.1.example' ) {
    my $text = errormsg_with( URL => "http://$host", API_KEY => 'pz_key' );
    like( $text, qr{PIZARRA_URL\) debe empezar con https://}, "plain HTTP to another machine: $host" );
}

is( Finance::Quote::Pizarra::_key_in( file_with("Authorization: Bearer pz_key\r\n") ), 'pz_key', 'the key of a header' );
is( Finance::Quote::Pizarra::_key_in( file_with("  pz_key  \nother\n") ), 'pz_key', 'the key alone' );
is( Finance::Quote::Pizarra::_digits( '91250.5', 100 ), '912.505', 'a price of one unit is exact' );
is( Finance::Quote::Pizarra::_digits('0.1'), '0.1', 'a price has no other digits' );

done_testing();
