<?php
// A front controller that chooses its page by the path of the request target, which it reads with parse_url.
// It shows $PAGE of its environment below /private/. Some applications decode the target first.
$target = $_SERVER['REQUEST_URI'];
$host = $_SERVER['HTTP_HOST'] ?? '';
$readings = [];
foreach ([$target, "http://$host$target"] as $address) {
    $path = (string) parse_url($address, PHP_URL_PATH);
    array_push($readings, $path, rawurldecode($path));
}
$readings[] = (string) parse_url(rawurldecode($target), PHP_URL_PATH);
$isGuarded = array_filter($readings, fn ($path) => str_starts_with($path, '/private/')) !== [];
echo $isGuarded ? getenv('PAGE') : 'open to everyone';
